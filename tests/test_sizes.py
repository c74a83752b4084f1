"""No module and no function outgrows a screen or a purpose; who may be longer is listed, with the reason."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

S2SAD = Path(__file__).parent.parent / "s2sad"
MIDDLE = ("parse", "analysis", "transform", "emit")
LINES, STATEMENTS, BRANCHES = 500, 80, 15

TABLES = {"ir.py": "the language of the passes, node by node", "diagnostics.py": "every message"}
DISPATCHERS = {
    "analysis/access/symbolic_execution.py:statement",
    "analysis/symbolic/machine_arithmetic.py:operation",
    "analysis/threads/launch_width.py:body",
    "emit/c_printer.py:_text",
    "emit/names.py:_stmt",
    "emit/records.py:stmt",
    "parse/desugar/readonly_params.py:visit",
    "parse/desugar/side_effects.py:touched",
    "parse/desugar/side_effects.py:visit",
    "parse/desugar/volatile.py:_run",
    "parse/lower/memory/names.py:name",
    "parse/lower/memory/struct_values.py:_fill",
    "parse/syntax/free_names.py:_read",
    "transform/build/forward_slice.py:stmt",
    "transform/common/symbol_uses.py:mapped",
    "transform/normalise/inline_collectives.py:statement",
    "transform/normalise/structure_exits.py:body",
    "transform/optimise/scalar/dead_stores.py:_live",
}
"""One `match` over the kinds of nodes, statements, expressions or types, with an arm for each."""

MODULES = sorted(S2SAD.rglob("*.py"))


def branches(node: ast.AST) -> int:
    """The conditions, loops, handlers and cases of a function; a function in it counts for itself."""
    count = 0
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            continue
        count += isinstance(child, ast.If | ast.For | ast.While | ast.ExceptHandler | ast.match_case)
        count += branches(child)
    return count


def functions(path: Path) -> Iterator[tuple[str, ast.FunctionDef]]:
    """The functions of a module, by file and name."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield f"{path.relative_to(S2SAD)}:{node.name}", node


@pytest.mark.parametrize("package", MIDDLE)
def test_functions_fit_a_screen(package: str) -> None:
    long, branching = set[str](), set[str]()
    for path in sorted((S2SAD / package).rglob("*.py")):
        for name, node in functions(path):
            if (node.end_lineno or 0) - node.lineno >= STATEMENTS:
                long.add(name)
            if branches(node) > BRANCHES:
                branching.add(name)
    listed = {name for name in DISPATCHERS if name.startswith(f"{package}/")}
    assert long | branching == listed


def test_modules_have_one_purpose() -> None:
    long = {str(p.relative_to(S2SAD)) for p in MODULES if len(p.read_text("utf-8").splitlines()) > LINES}
    assert long == set(TABLES)
