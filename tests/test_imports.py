"""Imports point one way: no stage knows the stages after it."""

from __future__ import annotations

import ast
import resource
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "s2sad"

# Lower layers first; a module may import from its own layer and from those before it.
LAYERS = (
    {"version"},
    {"source"},
    {"diagnostics"},
    {"ir", "signature", "files", "resources", "messages", "options"},
    {"irtext", "ircheck", "fields", "fixpoint"},
    {"parse"},
    {"partial_expressions"},
    {"rules"},
    {"analysis"},
    {"transform"},
    {"emit", "compile_commands", "resolve_request"},
    {"idle", "keeping", "rereading"},
    {"pipeline"},
    {"auditing"},
    {"drafting"},
    {"checking", "api"},
    {"cli", "__main__"},
)
# What runs kernels sees texts, arrays and signatures; nothing of the language.
RUNNING = {"version", "source", "diagnostics", "signature", "files"}
BESIDE = {"run": RUNNING, "validate": RUNNING | {"run"}}
# Packages in which no module asks for one that asks for it, in a function or for types alone either.
ACYCLIC = ("auditing", "cli", "emit", "run", "validate")


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def unit(path: Path) -> str:
    """The part of the package that a module belongs to: its folder, or itself."""
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def imported(path: Path) -> Iterator[str]:
    """The parts of the package that a module imports, wherever in the file."""
    yield from (words[0] for words in _imports(path) if words)


def _imports(path: Path) -> Iterator[tuple[str, ...]]:
    """What a module imports of the package, wherever in the file: paths below it, names included."""
    inside = path.relative_to(PACKAGE).parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = inside[: len(inside) - node.level + 1] if node.level else ()
            words = (*base, *(node.module.split(".") if node.module else ()))
            if node.level == 0:
                if words[:1] != ("s2sad",):
                    continue
                words = words[1:]
            yield from ((*words, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (tuple(a.name.split(".")[1:]) for a in node.names if a.name.startswith("s2sad."))


def allowed(name: str) -> set[str]:
    if name in BESIDE:
        return BESIDE[name] | {name}
    for number, layer in enumerate(LAYERS):
        if name in layer:
            known = set().union(*LAYERS[: number + 1])
            return known | set(BESIDE) if number >= LAYERS.index({"pipeline"}) else known
    raise AssertionError(f"{name} has no layer: give it one in this test")


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_module_imports_only_what_comes_before_it(path: Path) -> None:
    name = unit(path)
    if name == "__init__":
        assert set(imported(path)) <= {"api", "version"}
        return
    assert set(imported(path)) - allowed(name) == set()


def test_no_import_comes_back_to_where_it_began() -> None:
    paths = [path for path in modules() if unit(path) in ACYCLIC]
    named = {path.relative_to(PACKAGE).with_suffix("").parts: path for path in paths}
    named = {words[:-1] if words[-1] == "__init__" else words: path for words, path in named.items()}

    def module(words: tuple[str, ...]) -> tuple[str, ...]:
        return words if words in named else words[:-1]

    graph = {words: {module(found) for found in _imports(path)} - {words} for words, path in named.items()}
    TopologicalSorter(graph).prepare()  # a CycleError names one


def test_the_package_and_its_version_are_there_in_a_moment() -> None:
    for command in (["-c", "import s2sad"], ["-m", "s2sad", "--version"]):
        seconds = min(_seconds(command) for _ in range(3))
        assert seconds < 0.3, f"{command} took {seconds:.2f} s"


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    heavy = "numpy jinja2 pycparser pcpp rich pycuda platformdirs elftools"
    code = f"import s2sad, s2sad.cli, sys; print(*(set('{heavy}'.split()) & set(sys.modules)))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.split() == []


def _seconds(words: list[str]) -> float:
    """Processor time of an interpreter, so that a busy machine doesn't matter."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
