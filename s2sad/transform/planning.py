"""The plan as a value, from what was recorded and how it was stored."""

from __future__ import annotations

from ..analysis.plan import Plan
from .adjoint import Assembly, Facts
from .ownership import Ownership


def plan_of(facts: Facts, assembly: Assembly, ownership: Ownership) -> Plan:
    return Plan((), (), (), tuple(facts.debts.kinks))
