"""The features of an editor, as pure functions from our values to our values."""

from llmblocks.features.folding import Fold, folding
from llmblocks.features.hover import Hover, hover
from llmblocks.features.outline import Entry, outline
from llmblocks.languages.ask import Ask

__all__ = ["Ask", "Entry", "Fold", "Hover", "folding", "hover", "outline"]
