"""The version, where nothing heavy has to be imported to know it."""

from typing import Final

VERSION: Final = "0.1.0"
