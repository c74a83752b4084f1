"""Check gradients: case files, launches of primal and adjoint, differences, reports.

This package works on texts, signatures and numpy arrays. It doesn't see the IR, so a
check can't share a mistake with the transformation that it judges.
"""

from __future__ import annotations

from .case import Case, Header, find, header
from .case_template import draft
from .check import check, check_pair
from .findings import Finding, Row
from .forward_check import check_tangent
from .given_case import given
from .gradients import Result, gradient
from .jvp import Tangent, jvp
from .launching import Pair
from .report import Report
from .second_order_check import Twice, check_second_order
from .seeds_check import Seeded, check_seeds
from .several import together, worst

__all__ = [
    "Case",
    "Finding",
    "Header",
    "Pair",
    "Report",
    "Result",
    "Row",
    "Seeded",
    "Tangent",
    "Twice",
    "check",
    "check_pair",
    "check_second_order",
    "check_seeds",
    "check_tangent",
    "draft",
    "find",
    "given",
    "gradient",
    "header",
    "jvp",
    "together",
    "worst",
]
