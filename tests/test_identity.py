"""No decision depends on places in the author's text: spans and lines are for messages and quotes.

A variable or an expression has an `origin`, a loop an `id`, and a statement that is part of an
assignment of the author a `part_of`.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import pytest

from s2sad import ir
from s2sad.diagnostics import Rejected
from s2sad.ir import Body, DoWhile, For, LoopId, Program, While, statements
from s2sad.irtext import show
from s2sad.options import Options
from s2sad.parse import program
from s2sad.passes import PLAIN, Pass, State
from s2sad.rules import load
from s2sad.source import Source
from s2sad.transform.normalise.tree_sums import Trees
from s2sad.transform.plan.loops_by_line import bounds_of, loops_by_line
from s2sad.transform.primal_pipelines import NORMALISE, NORMALISE_MEASURED
from s2sad.transform.states import Primal

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "s2sad"
PARTS = ("transform", "emit", "analysis", "ircheck.py", "passes.py")

# The code that may use a span or a line, and its purpose; a name that ends in / or .py is a folder or file.
ALLOWED = {
    "transform/report/": "words of the plan, the contract and the tables",
    "transform/plan/loops_by_line.py": "what a user means by a line",
    "transform/plan/accumulation_verdicts.py:spans": "places that are shown",
    "transform/plan/accumulation_verdicts.py:_lines": "lines of the plan's rows",
    "transform/plan/shuffles.py:advice": "words of a message",
    "transform/tangent/diagonal.py:_report": "the place of a message",
    "transform/tangent/statements.py:_of_statement": "the comment that a named value stands under",
    "transform/plan/shuffles.py:problems": "the place of a message",
    "transform/plan/shuffles.py:_unclear": "the place of a message",
    "transform/normalise/bitcast_checks.py:": "words of a message",
    "transform/normalise/inline_collectives.py:": "the place of a message",
    "transform/plan/storage_layout.py:_unbounded": "words of a message",
    "transform/build/measure_kernel.py:with_loops": "the order of parameters that are named after lines",
    "transform/kernel.py:_packed": "lines that the header names",
    "transform/optimise/contribution_audit.py:": "words of a message",
    "transform/optimise/scalar/dead_code.py:_same_line": "one text is quoted once",
    "emit/adjacent_statements.py:_one_place": "one text is quoted once",
    "emit/quote.py": "quotes",
    "emit/lessons.py:line_of": "words of lessons",
    "emit/author_comments.py": "the author's comments",
    "emit/records.py": "the author's comments, blank lines and quotes",
    "emit/file.py": "words of the header",
    "emit/explain.py": "words of the plan",
    "analysis/plan.py": "words of the plan",
    "analysis/access/accumulation_reasons.py:": "words of reasons",
    "analysis/access/global_access.py:facts": "rows of a table",
    "analysis/access/shared_access.py:refuse_divergent_barriers": "words of a message",
    "analysis/access/shared_extents.py:": "the place of a message",
    "analysis/access/ownership_proofs.py:_line": "lines of the proofs that are shown",
    "analysis/atomics.py:flow_problems": "the place of a message",
    "analysis/ssa.py:line": "for words",
    "transform/plan/tape_names.py": "names, which are words for the reader",
    "transform/common/adjoint_names.py:as_written": "names, which are words for the reader",
    "emit/names.py:_with_target": "names, which are words for the reader",
    "analysis/ssa.py:__repr__": "for words",
}


def _modules() -> Iterator[Path]:
    for part in PARTS:
        path = PACKAGE / part
        yield from sorted(path.rglob("*.py")) if path.is_dir() else [path]


def _is_place(node: ast.AST, names: Collection[str]) -> bool:
    """Whether an expression is a place in the author's text; `names` are variables with places."""
    match node:
        case ast.Attribute(attr="span" | "line"):
            return True
        case ast.Name(id=name):
            return name in names
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value="span"), *_]):
            return True
        case ast.NamedExpr(value=value):
            return _is_place(value, names)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _is_place(operand, names)
        case ast.BoolOp(values=values):
            return any(_is_place(value, names) for value in values)
        case _:
            return False


def _span_patterns(node: ast.MatchClass) -> list[ast.pattern]:
    """Return the patterns for spans within a class pattern."""
    order = getattr(getattr(ir, getattr(node.cls, "id", ""), None), "__match_args__", ())
    by_name = [
        *zip(order, node.patterns, strict=False),
        *zip(node.kwd_attrs, node.kwd_patterns, strict=True),
    ]
    return [pattern for name, pattern in by_name if name == "span"]


def _holding(function: ast.AST) -> frozenset[str]:
    """Return the variables of a function that hold places."""
    names = {"span"}
    for node in ast.walk(function):
        pairs: list[tuple[ast.AST, ast.AST]] = []
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                pairs = list(zip(targets, values, strict=False))
            case ast.Assign(targets=[target], value=value) | ast.NamedExpr(target=target, value=value):
                pairs = [(target, value)]
            case ast.MatchClass():
                names |= {p.name for p in _span_patterns(node) if isinstance(p, ast.MatchAs) and p.name}
            case _:
                pass
        names |= {t.id for t, v in pairs if isinstance(t, ast.Name) and _is_place(v, names)}
    return frozenset(names)


def _decides(node: ast.AST, names: Collection[str]) -> bool:
    """Whether a node tests the value or the presence of a place."""
    match node:
        case ast.Attribute(attr="line"):
            return True
        case ast.Compare(left=left, comparators=others):
            return any(_is_place(side, names) for side in (left, *others))
        case ast.BoolOp():
            return _is_place(node, names)
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            return _is_place(test, names)
        case ast.comprehension(ifs=tests):
            return any(_is_place(test, names) for test in tests)
        case ast.Subscript(slice=key):
            return _is_place(key, names)
        case ast.Call(func=ast.Attribute(attr="get" | "setdefault" | "pop" | "index"), args=[key, *_]):
            return _is_place(key, names)
        case ast.MatchClass():
            return not all(isinstance(pattern, ast.MatchAs) for pattern in _span_patterns(node))
        case _:
            return False


def _deciding(
    tree: ast.AST, function: str = "", names: Collection[str] = ("span",)
) -> Iterator[tuple[str, int]]:
    """Return the functions that decide by places, with the lines."""
    for node in ast.iter_child_nodes(tree):
        inner, known = function, names
        if isinstance(node, ast.FunctionDef):
            inner, known = node.name, _holding(node)
        if _decides(node, known):
            yield inner, getattr(node, "lineno", 0)
        yield from _deciding(node, inner, known)


def _permission(path: str, function: str) -> str | None:
    """Return the entry that permits it to a function of a module."""
    for entry in ALLOWED:
        module, colon, name = entry.partition(":")
        if colon:
            if path == module and name in ("", function):
                return entry
        elif path == module or (module.endswith("/") and path.startswith(module)):
            return entry
    return None


def test_nothing_is_decided_by_a_span_or_a_line() -> None:
    wrong, used = [], set()
    for module in _modules():
        path = str(module.relative_to(PACKAGE))
        for function, line in _deciding(ast.parse(module.read_text(encoding="utf-8"))):
            entry = _permission(path, function)
            used.add(entry)
            if entry is None:
                wrong.append(f"s2sad/{path}:{line}: {function} asks for a place in the author's text")
    assert not wrong, "\n".join(wrong)
    assert used == set(ALLOWED), f"no longer needed: {sorted(set(ALLOWED) - used)}"


@pytest.mark.parametrize(
    "text",
    [
        "if sym.span is None: pass",
        "a = x if call.span else y",
        "b = given.get(loop.span.line)",
        "c = one.span == other.span",
        "d = [s for s in body if s.span]",
        "e = getattr(stmt, 'span', None) is not None",
        "match s:\n    case Sym(span=None): pass",
        "match s:\n    case For(_, _, _, _, None): pass",
        "def f():\n    here, there = a.span, getattr(b, 'span', None)\n    return here == there",
        "def f(s):\n    match s:\n        case While(_, _, at) if at is None: pass",
    ],
)
def test_what_decides_by_a_place_is_found(text: str) -> None:
    assert list(_deciding(ast.parse(text)))


@pytest.mark.parametrize(
    "text",
    [
        "Declare(sym, span=stmt.span)",
        "diagnose(Code.X, e.span)",
        "match s:\n    case While(c, b, span): pass",
    ],
)
def test_who_hands_a_place_on_decides_nothing(text: str) -> None:
    assert not list(_deciding(ast.parse(text)))


def test_who_makes_a_variable_in_the_front_end_says_for_whom() -> None:
    """A variable without origin is the tool's, which may move and remove it."""
    ours = {"sema/scope.py": 1, "lower/inline_returns.py": 2}  # saved values, flags and results
    for module in sorted((PACKAGE / "parse").rglob("*.py")):
        tree = ast.parse(module.read_text(encoding="utf-8"))
        patterns = {id(n.cls) for n in ast.walk(tree) if isinstance(n, ast.MatchClass)}
        made = [
            n
            for n in ast.walk(tree)
            if isinstance(n, ast.Call)
            and id(n.func) not in patterns
            and ast.unparse(n.func) in ("Sym", "ir.Sym")
            and not any(k.arg == "origin" for k in n.keywords)
        ]
        path = str(module.relative_to(PACKAGE / "parse"))
        assert len(made) == ours.get(path, 0), f"s2sad/parse/{path}: {[n.lineno for n in made]}"


# ---- loops -----------------------------------------------------------------------

KERNELS = sorted(ROOT.glob("tests/loops/*.cu")) + sorted(ROOT.glob("tests/golden/*.cu"))


def _ids(*bodies: Body) -> set[LoopId]:
    return {s.id for body in bodies for s in statements(body) if isinstance(s, For | While | DoWhile)}


def _program(path: Path) -> Program | None:
    """Return the program in a file, if it can be read without options."""
    try:
        return program(Source(path.name, path.read_text(encoding="utf-8")))
    except Rejected:
        return None


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("passes", [NORMALISE, NORMALISE_MEASURED], ids=["adjoint", "measured"])
def test_what_a_pass_makes_of_a_loop_is_that_loop(passes: Sequence[Pass[Primal]], every: int) -> None:
    """A promised or measured bound belongs to a loop, however the loop is rewritten."""
    chosen = KERNELS[::every]
    programs = [found for path in chosen if (found := _program(path)) is not None]
    assert len(programs) > len(chosen) // 2
    for one in programs:
        known = _ids(one.kernel.body, *(f.body for f in one.functions.values()))
        new: list[str] = []

        def observe(name: str, state: State, changed: bool, known: set[LoopId] = known) -> None:
            new.extend([name] if not _ids(state.function.body) <= known else [])  # noqa: B023

        try:
            PLAIN.with_(observe).run(passes, Primal(one, Trees(one.kernel), Options(), load()))
        except Rejected:
            continue
        assert not new, f"{one.kernel.name}: loops of {new} have no identity of the author's"


def test_a_bound_is_that_of_all_loops_in_its_line_and_of_no_other() -> None:
    text = """__global__ void k(float *x, int n, int m)
{
    for (int i = 0; i < n; ++i) x[i] *= 2.0f; for (int i = 0; i < m; ++i) x[i] += 1.0f;
    while (x[0] > 1.0f) x[0] *= 0.5f;
}
"""
    one = program(Source("k.cu", text))
    lines = loops_by_line(one.kernel.body)
    first, second, last = (s.id for s in statements(one.kernel.body) if isinstance(s, For | While))
    assert lines == {3: {first, second}, 4: {last}}
    bounds = bounds_of(one, ((3, "n"), (4, "2 * m")), lines)
    assert {loop: show(bound) for loop, bound in bounds.items()} == {first: "n", second: "n", last: "2 * m"}
