"""The size of a kernel as compiled: registers, stack, instructions, atomics.

Counts the way the hand-written adjoints were counted, so that figures can be compared:
`nvcc -arch=sm_80 -cubin`, the instructions that nvdisasm lists for the kernel, slow
paths included, without NOP padding and without the branch to itself at the end. Each
kernel is measured as compiled, and *rolled*: with `#pragma unroll 1` before each loop
whose trip count is a run-time value, since a compiler that unrolls one of two kernels
and not the other hides what they differ in. No device is needed.
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
    """A tool isn't here; says which, and how to get it."""


@dataclass(frozen=True)
class Tools:
    """Where the compiler and the disassembler are."""

    nvcc: str
    nvdisasm: str
    version: str


@dataclass(frozen=True)
class Size:
    """What ptxas and the disassembler say of one kernel. Atomics are static."""

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
    """nvcc from the PATH; nvdisasm from there, or from the wheel nvidia-cuda-nvdisasm. Raises Missing."""
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


def sizes(tools: Tools, text: str, kernel: str) -> Sizes:
    """Both counts of a kernel; one compilation where no loop has a run-time trip count."""
    compiled = size(tools, text, kernel)
    slow = rolled(text)
    return Sizes(compiled, compiled if slow == text else size(tools, slow, kernel))


def size(tools: Tools, text: str, kernel: str) -> Size:
    """The size of one kernel of a file. Raises subprocess.CalledProcessError, with what nvcc says."""
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = Path(folder) / "kernel.cu", Path(folder) / "kernel.cubin"
        source.write_text(text)
        words = [tools.nvcc, f"-arch={ARCH}", "-cubin", "-Xptxas", "-v", "-o", str(cubin), str(source)]
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
    """The operations of a kernel, without predicates and padding."""
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
    """The text with `#pragma unroll 1` before each loop whose trip count is a run-time value."""
    blank = _blanked(text)
    macros = _macros(blank)
    constants = {name for name in macros if _is_constant(name, macros)}
    loops = [found.start() for found in re.finditer(r"\b(for|while|do)\b", blank)]
    tails = {_tail_of(blank, at) for at in loops if blank.startswith("do", at)}
    known: list[tuple[int, set[str]]] = []  # where a loop of constant trips ends, and its counters
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
    """The counters of a loop whose header names only these and constants; else nothing."""
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
    """Where the statement ends that begins at `at`, or behind blanks there."""
    at += len(text[at:]) - len(text[at:].lstrip())
    if text[at] == "{":
        return _closing(text, at) + 1
    if re.match(r"(for|while|if)\b", text[at:]):
        end = _end(text, _closing(text, text.index("(", at)) + 1)
        tail = re.match(r"\s*else\b", text[end:])
        return _end(text, end + tail.end()) if tail else end
    return text.index(";", at) + 1


def _tail_of(text: str, at: int) -> int:
    """Where the `while` of a `do` stands; its body is in braces."""
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
    """The text with comments as spaces."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)


def _macros(text: str) -> dict[str, str]:
    return dict(re.findall(r"^[ \t]*#define[ \t]+(\w+)[ \t]+(.+)$", text, re.M))


def _is_constant(name: str, macros: dict[str, str], depth: int = 0) -> bool:
    """Whether a macro is an expression of literals, by way of other macros or not."""
    needs = _names(macros.get(name, name))
    return depth < 20 and name in macros and all(_is_constant(n, macros, depth + 1) for n in needs)


def _names(text: str) -> set[str]:
    return set(_NAME.findall(re.sub(r"\b(0[xX])?\d[\w.]*", "", text)))
