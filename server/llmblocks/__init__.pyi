__version__: str

from llmblocks import compose as compose
from llmblocks import gadget as gadget
from llmblocks import stf as stf
from llmblocks import tags as tags
from llmblocks.facts.finding import Finding as Finding
from llmblocks.facts.severity import Severity as Severity
from llmblocks.features.formatting import format_text as format_text
from llmblocks.languages.registry import open_document as open_document
from llmblocks.languages.registry import parse as parse
from llmblocks.rules.check import check as check
from llmblocks.rules.check import findings_as_json as findings_as_json
from llmblocks.rules.feedback import feedback as feedback
from llmblocks.rules.fixing import Fixed as Fixed
from llmblocks.rules.fixing import fix as fix
from llmblocks.settings.values import Settings as Settings
