"""The version, importable without anything heavy."""

from typing import Final

VERSION: Final = "0.1.0"
