"""Imports are acyclic: no stage imports later stages."""

from __future__ import annotations

import ast
import resource
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from s2sad.parse.lower import features
from s2sad.transform import pipelines

PACKAGE = Path(__file__).parents[1] / "s2sad"

# Lower layers first; a module may import from its own layer and from those before it.
LAYERS = (
    {"version"},
    {"source"},
    {"diagnostics"},
    {"faults"},
    {"python_literals", "python_flow", "decimals"},
    {"python_strings"},
    {"ir", "signature", "files", "resources", "messages", "options", "error_index", "toml_file"},
    {"irtext", "ircheck", "unset_reads", "fields", "fixpoint", "entries"},
    {"passes"},
    {"parse"},
    {"partial_expressions"},
    {"rules"},
    {"analysis"},
    {"transform"},
    {"emit", "compile_commands", "emitted_header", "resolve_request"},
    {"free_names", "idle", "keeping", "rereading", "second_order"},
    {"pipeline", "project_options", "case_options"},
    {"auditing", "chain", "covering"},
    {"drafting"},
    {"api_arguments", "checking", "bind", "each", "engine", "learn"},
    {"review"},
    {"trace"},
    {"reviewing", "tracing"},
    {"api", "serving"},
    {"cli", "playground", "__main__", "testing"},
)
READS_CASES = {"pipeline", "project_options", "case_options"}
# The same inside the front end: folders and modules of s2sad/parse. The rest of `lower` uses
# `lower/memory`; `reading` parses a file to a tree before it is lowered.
FRONT_END = (
    "depth",
    "types",
    "source",
    "syntax",
    "desugar",
    "reachability",
    "sema",
    "lower.memory",
    "lower",
    "reading",
    "scripts",
    "",
)
# The same inside the analyses and the transformation: lower parts first.
ANALYSES = (
    {
        "ssa",
        "ssa_construction",
        "traversal",
        "constants",
        "load_guards",
        "atomics",
        "function_attributes",
        "float_bounds",
        "float_ranges",
        "plan",
    },
    {"loops"},
    {"threads"},
    {"symbolic"},
    {"access"},
    {"activity", "shift_invariance", "tbr"},
    {""},
)
TRANSFORMATION = (
    {"unit"},
    {"common"},
    {"normalise"},
    {"plan"},
    {"build"},
    {"states"},
    {"optimise.assign_sites", "optimise.contribution_audit", "optimise.uniformity"},
    {"optimise.scalar"},
    {"optimise.sums"},
    {"optimise.gather"},
    {"optimise.barriers"},
    {"optimise"},
    {"report"},
    {"primal_pipelines"},
    {"pipelines"},
    {"device_functions"},
    {"planned"},
    {"checkpointing"},
    {"kernel", "companion"},
    {"tangent"},
    {"seeds"},
    {""},
)
# Code that runs kernels uses texts, arrays and signatures, but nothing of the language.
RUNNING = {"version", "source", "diagnostics", "signature", "files", "toml_file"}
BESIDE = {"run": RUNNING, "validate": RUNNING | {"run", "entries"}}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def parsed(path: Path) -> ast.Module:
    return _tree(path.read_text(encoding="utf-8"))


@cache
def _tree(text: str) -> ast.Module:
    return ast.parse(text)


def unit(path: Path) -> str:
    """Return the part of the package that a module belongs to: its folder, or itself."""
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    """Yield the parts of the package that a module imports, anywhere in the file."""
    inside = path.relative_to(PACKAGE).parts[:-1]
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ImportFrom):
            base = inside[: len(inside) - node.level + 1] if node.level else ()
            words = (*base, *(node.module.split(".") if node.module else ()))
            if node.level == 0:
                if words[:1] != ("s2sad",):
                    continue
                words = words[1:]
            yield from [words[0]] if words else [alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            yield from (a.name.split(".")[1] for a in node.names if a.name.startswith("s2sad."))


def dotted(path: Path) -> str:
    """Return the name of a module, as in an import."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def graph(folder: Path) -> dict[str, set[str]]:
    """Return the modules of a folder that each imports, anywhere in the file, even for types only."""
    known = {dotted(path): path for path in sorted(folder.rglob("*.py"))}
    found: dict[str, set[str]] = {}
    for name, path in known.items():
        package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
        said: set[str] = set()
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ImportFrom):
                base = package[: len(package) - node.level + 1] if node.level else []
                of = ".".join([*base, *([node.module] if node.module else [])])
                said |= {f"{of}.{a.name}" if f"{of}.{a.name}" in known else of for a in node.names}
            elif isinstance(node, ast.Import):
                said |= {alias.name for alias in node.names}
        found[name] = said & known.keys() - {name}
    return found


def cycle(folder: Path) -> list[str]:
    """Return a cycle of imports among the modules of a folder; empty if there is none."""
    try:
        TopologicalSorter(graph(folder)).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def allowed(name: str) -> set[str]:
    if name in BESIDE:
        return BESIDE[name] | {name}
    for number, layer in enumerate(LAYERS):
        if name in layer:
            known = set().union(*LAYERS[: number + 1])
            return known | set(BESIDE) if number >= LAYERS.index(READS_CASES) else known
    raise AssertionError(f"{name} has no layer: give it one in this test")


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_module_imports_only_what_comes_before_it(path: Path) -> None:
    name = unit(path)
    if name == "__init__":
        assert set(imported(path)) <= {"api", "version"}
        return
    assert set(imported(path)) - allowed(name) == set()


def test_no_modules_import_each_other() -> None:
    """This includes imports for types."""
    assert cycle(PACKAGE) == []


def part(module: str) -> int:
    """Return the number of the part of the front end that a module belongs to."""
    words = module.removeprefix("s2sad.parse").removeprefix(".").split(".")
    name = "lower.memory" if words[:2] == ["lower", "memory"] else words[0]
    return FRONT_END.index(name)


def test_the_parts_of_the_front_end_import_only_what_comes_before_them() -> None:
    imports = graph(PACKAGE / "parse").items()
    up = {f"{one} imports {other}" for one, all_ in imports for other in all_ if part(other) > part(one)}
    assert up == set()


def rank(module: str, order: tuple[set[str], ...]) -> int:
    """Return the number of the part of a package that a module belongs to, by the longest match."""
    inner = ".".join(module.split(".")[2:])
    named = [p for part in order for p in part if p and (inner == p or inner.startswith(f"{p}."))]
    best = max(named, key=len, default="")
    assert best or not inner, f"{module} has no part: give it one in this test"
    return next(number for number, part in enumerate(order) if best in part)


@pytest.mark.parametrize(
    ("package", "order"),
    [("analysis", ANALYSES), ("transform", TRANSFORMATION)],
    ids=["analysis", "transform"],
)
def test_the_parts_of_a_package_import_only_what_comes_before_them(
    package: str, order: tuple[set[str], ...]
) -> None:
    imports = graph(PACKAGE / package).items()
    up = {
        f"{one} imports {other}"
        for one, all_ in imports
        for other in all_
        if rank(other, order) > rank(one, order)
    }
    assert up == set()


def test_a_pass_is_a_module_of_its_name() -> None:
    """The exception is `build`, which is a package."""
    assert set(pipelines.NAMES) - {path.stem for path in (PACKAGE / "transform").rglob("*.py")} == {"build"}


def test_a_ring_of_imports_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "s2sad"
    folder.mkdir()
    monkeypatch.setattr(sys.modules[__name__], "PACKAGE", folder)
    (folder / "one.py").write_text("from . import two")
    (folder / "two.py").write_text("def f():\n    from .three import g")
    (folder / "three.py").write_text("if TYPE_CHECKING:\n    import s2sad.one")
    assert set(cycle(folder)) == {"s2sad.one", "s2sad.two", "s2sad.three"}
    (folder / "three.py").write_text("import os")
    assert cycle(folder) == []


def test_every_question_about_a_node_is_answered_once_the_front_end_is_there() -> None:
    asking = (path for path in modules() if path.parent.name != "__pycache__")
    answering = {
        dotted(path)
        for path in asking
        if any(
            isinstance(of := getattr(decorator, "func", decorator), ast.Name | ast.Attribute)
            and ast.unparse(of).split(".")[0] in ("lowers", "runs", "dispatch")
            for node in ast.walk(parsed(path))
            if isinstance(node, ast.FunctionDef)
            for decorator in node.decorator_list
        )
    }
    assert {module.__name__ for module in features.ANSWERING} == answering


def test_the_package_and_its_version_are_there_in_a_moment() -> None:
    for command in (["-c", "import s2sad"], ["-m", "s2sad", "--version"]):
        seconds = min(_seconds(command) for _ in range(3))
        assert seconds < 0.3, f"{command} took {seconds:.2f} s"


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    heavy = "numpy jinja2 pycparser pcpp rich cuda pycuda platformdirs elftools"
    code = f"import s2sad, s2sad.cli, sys; print(*(set('{heavy}'.split()) & set(sys.modules)))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == []


def _seconds(words: list[str]) -> float:
    """Return the processor time of an interpreter, which is independent of the machine's load."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
