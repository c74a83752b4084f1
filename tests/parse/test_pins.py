"""Private parts of two libraries are used, so an upgrade is a decision and not an accident."""

from __future__ import annotations

import pcpp
import pycparser


def test_pycparser_is_the_version_whose_methods_are_overridden() -> None:
    assert pycparser.__version__ == "3.12"


def test_pcpp_is_the_version_whose_macros_are_used() -> None:
    assert pcpp.__version__ == "1.30"
