"""`s2sad bind`: write what a kernel and its adjoint need to be called from a framework."""

from __future__ import annotations

import os
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from .. import files
from ..diagnostics import Code, Diagnostic, diagnose
from .arguments import request, request_options, usage
from .outcome import DONE, FAILED, Outcome

if TYPE_CHECKING:
    from ..bind import Target

_TARGETS: dict[Target, str] = {
    "torch": "A package with operators of PyTorch, for the CPU and for GPUs, and its tests.",
    "jax": "A package with a differentiable function of JAX, and the FFI handler for GPUs.",
    "cupy": "A module for CuPy.",
    "cpp": "A C++ header with its sources, a CMake file and a test.",
}
_NEXT = {
    "torch": "python -m pytest {folder}",
    "jax": "python -m pytest {folder}",
    "cupy": "python -m pytest {folder}",
    "cpp": "cmake -S {folder} -B {folder}/build && cmake --build {folder}/build && "
    "ctest --test-dir {folder}/build",
}


@click.command()
@click.argument("file", metavar="FILE.cu")
@click.option("--torch", "torch", is_flag=True, help=_TARGETS["torch"])
@click.option("--jax", "jax", is_flag=True, help=_TARGETS["jax"])
@click.option("--cupy", "cupy", is_flag=True, help=_TARGETS["cupy"])
@click.option("--cpp", "cpp", is_flag=True, help=_TARGETS["cpp"])
@click.option(
    "--launch",
    metavar="'grid=… block=…'",
    default="",
    help="The launch, if no comment says it: `// s2sad: launch grid=(n+255)/256 block=256 n=x.size y=x`.",
)
@request_options
@click.option("--case", metavar="CASE.toml", help="A case, whose arguments the tests use.")
@click.option("-o", "--output", metavar="DIR", help="The folder (default: KERNEL_torch, KERNEL_jax, …).")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if the folder is not up to date.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of messages.")
def bind(
    file: str,
    torch: bool,
    jax: bool,
    cupy: bool,
    cpp: bool,
    launch: str,
    case: str | None,
    output: str | None,
    check: bool,
    as_json: bool,
    **given: Any,
) -> Outcome:
    """Write what a kernel and its adjoint need to be called from PyTorch, JAX, CuPy or C++.

    \b
    s2sad bind relax.cu --torch && python -m pytest relax_torch
    """
    asked = {"torch": torch, "jax": jax, "cupy": cupy, "cpp": cpp}
    chosen: list[Target] = [target for target in _TARGETS if asked[target]]
    options = request(given, *_problems(file, chosen, output, given))
    from .. import bind as binding
    from .. import checking

    source = files.read(file)
    beside = checking.case_beside(file) or ""
    target = chosen[0]
    made, remarks = binding.read(
        source,
        options,
        launch,
        case or "",
        beside=beside,
        updates=target != "jax",
        derivatives=target in ("torch", "jax"),
    )
    folder = output or f"{made.name}_{target}"
    if launch:
        made = replace(made, options=f"{made.options} --launch {shlex.quote(launch)}")
    texts = binding.written(made, target, os.path.basename(os.path.normpath(folder)))
    data = {"kernel": made.name, "folder": folder, "files": list(texts), "launch": made.launch.text()}
    if check:
        if old := binding.stale(folder, texts):
            names = ", ".join(os.path.join(folder, name) for name in old)
            command = f"{made.options} --{target} -o {folder}"
            remarks = (*remarks, diagnose(Code.BINDING_STALE, None, files=names, command=command))
        return Outcome(FAILED if old else DONE, diagnostics=remarks, data=data)
    binding.write(folder, texts)
    said = f"wrote {', '.join(texts)} to {folder}; next: {_NEXT[target].format(folder=folder)}\n"
    return Outcome(DONE, diagnostics=remarks, remarks=said, data=data)


def _problems(file: str, chosen: list[Target], output: str | None, given: dict[str, Any]) -> list[Diagnostic]:
    """Return what is wrong with the command line by itself."""
    wrong = []
    flags = ", ".join(f"--{target}" for target in _TARGETS)
    if len(chosen) != 1:
        what = "no target" if not chosen else f"{' and '.join(f'--{t}' for t in chosen)} exclude each other"
        wrong.append(usage(what, f"one of {flags}"))
    name = os.path.basename(os.path.normpath(output)) if output else ""
    if output is not None and chosen and chosen[0] != "cpp" and not name.isidentifier():
        wrong.append(usage(f"-o {output}: {name!r} can't be imported", "a folder named like a Python module"))
    if name in ("torch", "jax", "cupy", "numpy", "s2sad"):
        wrong.append(usage(f"-o {output}: a folder {name} hides the module {name}", f"-o my_{name}"))
    for flag in ("companion", "keep_template", "separate"):
        if given.get(flag):
            wrong.append(usage(f"--{flag.replace('_', '-')} isn't for bindings", "leave it out"))
    if given.get("seeds") is not None:
        wrong.append(usage("--seeds isn't for bindings", "leave it out: an operator takes one seed"))
    if "jax" in chosen and given.get("mode") == "split":
        wrong.append(usage("--jax binds the joint shape", "leave --mode split out"))
    return wrong
