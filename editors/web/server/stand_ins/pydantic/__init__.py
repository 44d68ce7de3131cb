"""The part of pydantic that the settings use, in pure Python.

pydantic-core is compiled for each Python and each system: two megabytes for the settings of a file. Errors have the
types, the places and the words of pydantic. `tests/editors/stand_ins` compares them on random settings.
"""

from __future__ import annotations

from pydantic.checks import AfterValidator, Field, FieldInfo, ValidationInfo
from pydantic.errors import ValidationError
from pydantic.models import BaseModel, ConfigDict, model_validator

__all__ = [
    "AfterValidator",
    "BaseModel",
    "ConfigDict",
    "Field",
    "FieldInfo",
    "ValidationError",
    "ValidationInfo",
    "model_validator",
]
