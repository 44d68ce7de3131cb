"""The features of an editor, as pure functions from our values to our values."""

from llmblocks.features.folding import Fold, folding
from llmblocks.features.hover import Hover, hover
from llmblocks.languages.ask import Ask

__all__ = ["Ask", "Fold", "Hover", "folding", "hover"]
