"""Measure the size of a compiled kernel: registers, stack, instructions, atomics.

This counts as for the hand-written adjoints, so that figures can be compared:
`nvcc -arch=sm_80 -cubin`, the instructions that nvdisasm lists for the kernel, slow
paths included, without NOP padding and without the branch to itself at the end. Each
kernel is measured as compiled, and *rolled*: with `#pragma unroll 1` before each loop
whose trip count is a run-time value. Otherwise unrolling of only one of two kernels
would hide their differences. No device is needed.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ARCH = "sm_80"


class Missing(Exception):
    """A tool is missing; the message says which, and how to get it."""


@dataclass(frozen=True)
class Tools:
    """The paths of the compiler and the disassembler."""

    nvcc: str
    nvdisasm: str
    version: str


@dataclass(frozen=True)
class Size:
    """The figures of ptxas and the disassembler for one kernel. Atomics are static."""

    registers: int
    stack: int
    spilled: int
    shared: int
    instructions: int
    atomics: int


@dataclass(frozen=True)
class Sizes:
    """A kernel as compiled and with its run-time loops rolled."""

    compiled: Size
    rolled: Size


def tools() -> Tools:
    """Find nvcc in PATH; nvdisasm there or in the wheel nvidia-cuda-nvdisasm. Raises Missing."""
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        raise Missing("nvcc isn't in PATH: install the CUDA toolkit; no GPU is needed")
    nvdisasm = shutil.which("nvdisasm") or _from_wheel("nvdisasm")
    if nvdisasm is None:
        raise Missing("nvdisasm isn't in PATH: pip install nvidia-cuda-nvdisasm")
    text = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=True).stdout
    release = re.search(r"release ([\d.]+)", text)
    return Tools(nvcc, nvdisasm, release.group(1) if release else "unknown")


def _from_wheel(name: str) -> str | None:
    spec = importlib.util.find_spec("nvidia")
    for folder in spec.submodule_search_locations or () if spec else ():
        for path in sorted(Path(folder).glob(f"*/bin/{name}")):
            return str(path)
    return None


def sizes(tools: Tools, text: str, kernel: str, arch: str = ARCH) -> Sizes:
    """Return both sizes of a kernel; compile once if no loop has a run-time trip count."""
    compiled = size(tools, text, kernel, arch)
    slow = rolled(text)
    return Sizes(compiled, compiled if slow == text else size(tools, slow, kernel, arch))


def size(tools: Tools, text: str, kernel: str, arch: str = ARCH) -> Size:
    """Return the size of one kernel of a file. Raises subprocess.CalledProcessError with nvcc's output."""
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = Path(folder) / "kernel.cu", Path(folder) / "kernel.cubin"
        source.write_text(text)
        words = [tools.nvcc, f"-arch={arch}", "-cubin", "-Xptxas", "-v", "-o", str(cubin), str(source)]
        said = subprocess.run(words, capture_output=True, text=True, check=True).stderr
        listing = subprocess.run(
            [tools.nvdisasm, "-c", str(cubin)], capture_output=True, text=True, check=True
        ).stdout
    lines = list(_instructions(listing, kernel))
    of_kernel = said.split(f"Compiling entry function '{kernel}'", 1)[1].split("Compiling entry", 1)[0]

    def figure(pattern: str) -> int:
        found = re.search(pattern, of_kernel)
        return int(found.group(1)) if found else 0

    return Size(
        registers=figure(r"Used (\d+) registers"),
        stack=figure(r"(\d+) bytes stack frame"),
        spilled=figure(r"(\d+) bytes spill stores") + figure(r"(\d+) bytes spill loads"),
        shared=figure(r"(\d+) bytes smem"),
        instructions=len(lines),
        atomics=sum(bool(re.match(r"(RED|ATOM)", word)) for word in lines),
    )


def _instructions(listing: str, kernel: str) -> Iterator[str]:
    """Yield the operations of a kernel, without predicates and padding."""
    section = listing.split(f"\n.text.{kernel}:\n", 1)[1].split("\n\t.section", 1)[0]
    label = ""
    for line in section.splitlines():
        if found := re.match(r"(\.L_[\w$]+):", line):
            label = found.group(1)
        elif found := re.match(r"\s*/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)(.*)", line):
            word, rest = found.group(1), found.group(2)
            padding = word == "NOP" or (word == "BRA" and label and f"`({label})" in rest)
            label = ""
            if not padding:
                yield word


# ---- rolling -----------------------------------------------------------------

_NAME = re.compile(r"[A-Za-z_]\w*")
_TYPES = frozenset(
    {"int", "unsigned", "signed", "long", "short", "char", "size_t", "const", "float", "double"}
)


def rolled(text: str) -> str:
    """Insert `#pragma unroll 1` before each loop whose trip count is a run-time value."""
    blank = _blanked(text)
    macros = _macros(blank)
    constants = {name for name in macros if _is_constant(name, macros)}
    loops = [found.start() for found in re.finditer(r"\b(for|while|do)\b", blank)]
    tails = {_tail_of(blank, at) for at in loops if blank.startswith("do", at)}
    known: list[tuple[int, set[str]]] = []  # the end of a loop with constant trip count, and its counters
    parts: list[str] = []
    done = 0
    for at in loops:
        if at in tails:
            continue
        known = [(end, names) for end, names in known if at < end]
        counters = _constant(blank, at, constants.union(*(names for _, names in known)))
        if counters:
            known.append((_end(blank, at), counters))
            continue
        parts += [text[done:at], "\n#pragma unroll 1\n"]
        done = at
    return "".join(parts) + text[done:]


def _constant(text: str, at: int, constants: set[str]) -> set[str]:
    """Return the counters of a loop whose header names only these and constants; else nothing."""
    if not text.startswith("for", at):
        return set()
    opening = text.index("(", at)
    head = text[opening + 1 : _closing(text, opening)]
    first, condition, _ = head.split(";")
    counters = {found.group(1) for found in re.finditer(r"([A-Za-z_]\w*)\s*=(?!=)", first)}
    if not condition.strip():
        return set()
    return counters if _names(head) <= counters | constants | _TYPES else set()


def _end(text: str, at: int) -> int:
    """Return the end of the statement that begins at `at`, or after blanks there."""
    at += len(text[at:]) - len(text[at:].lstrip())
    if text[at] == "{":
        return _closing(text, at) + 1
    if re.match(r"(for|while|if)\b", text[at:]):
        end = _end(text, _closing(text, text.index("(", at)) + 1)
        tail = re.match(r"\s*else\b", text[end:])
        return _end(text, end + tail.end()) if tail else end
    return text.index(";", at) + 1


def _tail_of(text: str, at: int) -> int:
    """Return the index of the `while` of a `do`, whose body is in braces."""
    opening = text.index("{", at)
    return text.index("while", _closing(text, opening))


def _closing(text: str, opening: int) -> int:
    closes = {"(": ")", "{": "}"}[text[opening]]
    depth = 0
    for at in range(opening, len(text)):
        depth += {text[opening]: 1, closes: -1}.get(text[at], 0)
        if depth == 0:
            return at
    raise ValueError("unbalanced")


def _blanked(text: str) -> str:
    """Replace comments by spaces."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)


def _macros(text: str) -> dict[str, str]:
    return dict(re.findall(r"^[ \t]*#define[ \t]+(\w+)[ \t]+(.+)$", text, re.M))


def _is_constant(name: str, macros: dict[str, str], depth: int = 0) -> bool:
    """Whether a macro is an expression of literals, directly or through other macros."""
    needs = _names(macros.get(name, name))
    return depth < 20 and name in macros and all(_is_constant(n, macros, depth + 1) for n in needs)


def _names(text: str) -> set[str]:
    return set(_NAME.findall(re.sub(r"\b(0[xX])?\d[\w.]*", "", text)))
