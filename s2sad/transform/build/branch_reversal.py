"""Branches in the reverse sweep: by re-evaluating the condition, or by the recorded exit of a loop."""

from __future__ import annotations

from dataclasses import replace

from ...analysis.ssa import Loop, Scope, own_breaks
from ...analysis.traversal import ends
from ...ir import BOOL, INT, Array, Binary, Const, Declare, Expr, If, Place, Return, Stmt, Switch, collective
from ..common.integer_expressions import minus_one
from ..common.jumps import negation
from ..normalise.fallthrough import thinned
from ..plan.facts import leaving
from .frames import Frame
from .sweep import Sweep


def branch_body(b: Sweep, scope: Scope, frame: Frame) -> list[Stmt]:
    """The reverse sweep of a branch's body."""
    if not b.reverses(scope):
        return []
    forward, adjoints = b.reverse(Frame(scope, frame))
    return [*forward, *adjoints]


def reversed_branch(b: Sweep, stmt: If, frame: Frame) -> list[Stmt]:
    then_scope, else_scope = b.versions.inside[stmt]
    cond = decided(b, stmt, frame)
    then, other = branch_body(b, then_scope, frame), branch_body(b, else_scope, frame)
    if isinstance(cond, Const):
        return then if cond.value else other
    if not then and not other:
        return []
    if not then:
        if returns_early(b, stmt, frame):
            return [If(cond, (Return(),), (), stmt.span), *other]
        return [If(negation(cond), tuple(other), (), stmt.span)]
    return [If(cond, tuple(then), tuple(other), stmt.span)]


def returns_early(b: Sweep, stmt: If, frame: Frame) -> bool:
    """Whether threads that returned here contribute nothing: `if (i >= n) return;`."""
    scope: Scope | None = frame.scope
    if not b.early or not (stmt.then and len(stmt.then) == 1 and isinstance(stmt.then[0], Return)):
        return False
    current: Stmt = stmt
    while scope is not None:
        if scope.role == "loop":
            return False
        for before in scope.stmts:
            if before is current:
                break
            if b.reversed(before) and not (
                isinstance(before, Declare)
                and not isinstance(before.sym.type, Array)
                and collective(before) is None
            ):
                return False
        if scope.owner is None:
            return True
        owner = scope.owner
        if not isinstance(owner, If) or scope.role != "else" or not ends(owner.then):
            return False
        if not returns_plainly(b, owner):
            return False
        current, scope = owner, scope.parent
    return True


def returns_plainly(b: Sweep, stmt: If) -> bool:
    return len(stmt.then) == 1 and isinstance(stmt.then[0], Return)


def decided(b: Sweep, stmt: If, frame: Frame) -> Expr:
    """The condition in the reverse sweep: re-evaluated, or from the recorded exit of the loop."""
    loop = leaving(stmt, b.versions)
    if stmt in b.outcomes:
        return Place(b.outcomes[stmt], (), BOOL)
    if loop is None:
        return b.value(stmt, stmt.cond, frame)
    exit_code = b.storage.exits[loop]
    then_leaves = ends(stmt.then)
    taken = codes(b, loop, stmt.then if then_leaves else stmt.other)
    (index,) = b.indices((loop,), frame)
    last = Binary("==", index, minus_one(b.storage.trips[loop]), BOOL)
    test: Expr = last
    tests: Expr | None = None
    for code in taken:
        is_code = Binary("==", Place(exit_code, (), INT), Const(code, INT), BOOL)
        tests = is_code if tests is None else Binary("||", tests, is_code, BOOL)
    assert tests is not None
    test = Binary("&&", last, tests, BOOL)
    return test if then_leaves else negation(test)


def codes(b: Sweep, loop: Loop, branch: tuple[Stmt, ...]) -> list[int]:
    every = b.versions.breaks[loop]
    return [k + 1 for k, b in enumerate(every) if b in own_breaks(branch)]


def reversed_switch(b: Sweep, stmt: Switch, frame: Frame) -> list[Stmt]:
    selector = b.value(stmt, stmt.selector, frame)
    scopes = b.versions.inside[stmt]
    found = [(case, branch_body(b, scope, frame)) for case, scope in zip(stmt.cases, scopes, strict=False)]
    cases = thinned([replace(case, body=tuple(body)) for case, body in found])
    return [Switch(selector, cases, stmt.span)] if cases else []
