"""Count the instructions that a launch executes on the CPU, with valgrind's callgrind; no GPU needed.

The kernel is compiled without vector instructions, and otherwise as nvcc does: products are added in the same
instruction, functions are inlined, short loops of constant trip counts are unrolled. Its threads run one
after the other. What is counted is the kernel's own code and the mathematical library's, not the scheduler of
threads that wait at barriers. The counts are the same on each run, also on a loaded machine.
"""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import numpy as np
from report import HERE
from sass import Missing

from s2sad.run.cpu import compiler, unit
from s2sad.run.cpu.module import _packer, header_bytes
from s2sad.run.structs import packed
from s2sad.run.values import Value
from s2sad.signature import Signature
from s2sad.validate.recipe import Launch

FLAGS = (
    "-march=x86-64-v3",
    "-fno-tree-vectorize",
    "-ffp-contract=fast",  # a product and the addition of it are one instruction of a GPU
    "-finline-limit=100000",  # nvcc inlines the functions of a kernel
    "-fpeel-loops",  # nvcc unrolls short loops of constant trip counts, also where the code grows
    "-g0",
)
LAUNCH = HERE / "launch_counted.c"
_SCHEDULER = re.compile(
    r"s2sad_(run|start|launch_\w+|fiber|swap_stacks|switch|run_block|barrier|meet|open_\w+|close_block"
    r"|complete_warps|prepare|begin|\w*stacks\w*)\b|^(main|mem(set|cpy)|__mem(set|cpy).*|_dl_.*)$"
)
_LINE = 256  # bytes between arrays
_UNROLLED = re.compile(r"^([ \t]*#[ \t]*pragma) unroll\b[ \t]*(\d*)", re.MULTILINE)


@cache
def valgrind() -> str:
    """Return valgrind's version. Raises Missing, also without its headers."""
    if shutil.which("valgrind") is None:
        raise Missing("valgrind isn't in PATH (Debian: apt install valgrind)")
    said = subprocess.run(["valgrind", "--version"], capture_output=True, text=True, check=True).stdout
    return said.strip().removeprefix("valgrind-")


@cache
def _launcher(folder: Path) -> Path:
    program = folder / "launch_counted"
    used = compiler.compiler()
    words = [*used.command, "-O1", "-x", "c++", "-fpermissive", "-w", str(LAUNCH), "-o", str(program), "-ldl"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Missing(f"{LAUNCH.name} doesn't compile: {compiler.first_errors(done.stderr)}")
    return program


def executed(text: str, kernel: Signature, launch: Launch, args: Mapping[str, Value], folder: Path) -> int:
    """Return the number of instructions of one launch. `folder` is for temporary files.

    Raises Missing, CompileFailed, and RuntimeError with what a failed launch says.
    """
    valgrind()
    unrolled = _UNROLLED.sub(lambda m: f"{m[1]} GCC unroll {m[2] or 64}", text)  # g++ knows no other form
    library = compiler.build(unit.write(unrolled, [kernel], "float", "kernel.cu"), "kernel.cu", FLAGS)
    with tempfile.TemporaryDirectory(dir=folder) as place:
        request, told = Path(place) / "request", Path(place) / "callgrind.out"
        request.write_bytes(_request(kernel, launch, args))
        words = [
            *(
                "valgrind",
                "--tool=callgrind",
                "--collect-atstart=no",
                f"--callgrind-out-file={told}",
                "--quiet",
            ),
            *(str(_launcher(folder)), str(library), f"s2sad_launch_{kernel.name}", str(request)),
        ]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{kernel.name}: {done.stderr.strip()}")
        return sum(cost for name, cost in _own_costs(told.read_text()) if not _SCHEDULER.search(name))


def _request(kernel: Signature, launch: Launch, args: Mapping[str, Value]) -> bytes:
    """Return the file that launch_counted.c reads. Raises RuntimeError."""
    ready = packed(kernel, args, "float")
    if ready.held:
        raise RuntimeError(f"{kernel.name}: arrays that structs point to aren't counted")
    packer = _packer(ready.kernel.arguments, "float")
    header = header_bytes(launch.grid, launch.block, launch.shared_bytes, "forward", False)
    whole = packer.pack(header, ready.args, kernel.name)
    places, parts, at, slot = [], [], 0, len(header)
    for parameter in packer.parameters:
        value = ready.args[parameter.name]
        if parameter.pointer and isinstance(value, np.ndarray) and value.size:
            content = value.tobytes()
            places += [slot, at]
            parts.append(content + bytes(-len(content) % _LINE + _LINE))
            at += len(parts[-1])
        slot += 8 if parameter.pointer else (parameter.type.itemsize + 7) // 8 * 8
    numbers = struct.pack(f"=3Q{len(places)}Q", len(places) // 2, len(whole), at, *places)
    return numbers + whole + b"".join(parts)


def _own_costs(told: str) -> Iterator[tuple[str, int]]:
    """Yield each function of callgrind's output with instructions of its own, without its callees'."""
    names: dict[str, str] = {}
    function, called = "", False
    for line in told.splitlines():
        if found := re.match(r"fn=\((\d+)\)(?: (.*))?$", line):
            if found[2]:
                names[found[1]] = found[2]
            function = names[found[1]]
        elif found := re.match(r"cfn=\((\d+)\) (.*)$", line):
            names[found[1]] = found[2]
        elif line.startswith("calls="):
            called = True  # the next line has the callee's cost
        elif re.match(r"[+*-]?\d*\s+\d+$|\*\s+\d+$", line):
            if not called:
                yield function, int(line.split()[1])
            called = False
