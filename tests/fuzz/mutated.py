"""Golden kernels with a small change: near misses of every idiom that an analysis knows.

A golden kernel shows what an analysis proves; changed in one or two places, a condition of the
proof may be gone, and the adjoint must follow. A change that makes the primal itself race, hang,
leave an array or not compile shows nothing and is counted as such.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

from s2sad.options import Mode, Options

from .batch import Verdict
from .idioms import Idiom

FOLDER = Path(__file__).parent.parent / "golden"

# Texts that need headers or a folder of their own are left to their own tests.
_ASKS = re.compile(r"^\s*#\s*include|--(?:include|companion|keep-template)", re.M)
KERNELS = tuple(
    sorted(
        case.stem
        for case in FOLDER.glob("*.toml")
        if not _ASKS.search(case.with_suffix(".cu").read_text(encoding="utf-8"))
    )
)

# What becomes of primals that aren't kernels any more, or hang, or store where they may not.
_PRIMAL = ("refused", "uncompilable", "run dies", "run fails", "check crashes SystemError")

_OPERATORS = {
    "+": ("-", "*"),
    "-": ("+", "*"),
    "*": ("+", "-"),
    "/": ("*",),
    "<": ("<=", ">"),
    "<=": ("<",),
    ">": (">=", "<"),
    ">=": (">",),
    "==": ("!=",),
    "!=": ("==",),
    "+=": ("=", "-=", "*="),
    "-=": ("+=", "="),
    "*=": ("+=", "="),
    "=": ("+=", "*="),
    "&&": ("||",),
    "||": ("&&",),
}
_TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|#[^\n]*|[A-Za-z_]\w*|\d+\.\d*(?:e[+-]?\d+)?f?|\.\d+f?|0x[0-9a-fA-F]+u?|\d+u?"
    r"|<<=|>>=|<<|>>|\+\+|--|->|[+\-*/%&|^<>=!]=|&&|\|\||\s+|.",
    re.S,
)
_WORDS = frozenset(
    re.findall(
        r"\w+",
        "if else for while do return break continue switch case default const unsigned int float double bool"
        " char long short void struct static __device__ __global__ __shared__ extern inline __inline__"
        " template typename class using typedef constexpr auto namespace sizeof true false __restrict__"
        " __syncthreads __syncwarp",
    )
)


def program(label: str, name: str) -> Idiom:
    """The golden kernel of a label with one to three changes, under a name."""
    pick = Random(label)
    kernel = pick.choice(KERNELS)
    source = (FOLDER / f"{kernel}.cu").read_text(encoding="utf-8")
    case = (FOLDER / f"{kernel}.toml").read_text(encoding="utf-8")
    for _ in range(pick.choice((1, 1, 1, 2, 2, 3))):
        source = changed(source, pick)
    own = re.search(r'^kernel = "(\w+)"', case, re.M)
    if not own and not re.search(rf"\b{kernel}\(", source):  # else two of one name lose a whole batch
        own = re.search(r"__global__ void (?:__launch_bounds__\([^)]*\) )?(\w+)\(", source)
    called = own[1] if own else kernel
    source, case = (re.sub(rf"\b{called}\b", name, text) for text in (source, case))
    if pick.random() < 0.2:
        case = re.sub(r"^block = 64$", "block = 32", case, flags=re.M)
    mode: Mode = "split" if pick.random() < 0.3 else "joint"
    return Idiom(f"{label} ({kernel})", source, case, Options(mode=mode))


def accepted(verdict: Verdict) -> Verdict:
    """The verdict, uncheckable where it is the primal that the changes made wrong."""
    undefined = verdict.kind == "wrong gradient" and (
        "// Requires " in verdict.adjoint
        or "other values when run with tangents" in verdict.detail  # what is never set has other values there
        or re.search(r"note: k\w*: unordered stores of the same value", verdict.detail)
        or ("the adjoint gives nan" in verdict.detail and "is not finite; not compared" in verdict.detail)
    )
    if undefined or verdict.kind.startswith(_PRIMAL) or verdict.kind.endswith(" in the primal"):
        return replace(verdict, kind=f"uncheckable: {verdict.kind}")
    return verdict


def changed(source: str, pick: Random) -> str:
    """The text with one change inside a function's body."""
    for _ in range(50):
        way = pick.choice(_WAYS)
        other = way(source, pick)
        if other != source:
            return other
    return source


def _tokens(source: str) -> list[str]:
    return _TOKEN.findall(source)


def _inside(tokens: list[str]) -> list[int]:
    """Where tokens of bodies are."""
    depth, found = 0, []
    for position, token in enumerate(tokens):
        depth += (token == "{") - (token == "}")
        if depth and not token.isspace() and not token.startswith(("//", "/*", "#")):
            found.append(position)
    return found


def _operator(source: str, pick: Random) -> str:
    tokens = _tokens(source)
    # A thread's place that others have too is a primal that stores by luck.
    places = [
        p
        for p in _inside(tokens)
        if tokens[p] in _OPERATORS and not {"blockDim", "gridDim"} & set(tokens[p - 6 : p + 7])
    ]
    if not places:
        return source
    at = pick.choice(places)
    tokens[at] = pick.choice(_OPERATORS[tokens[at]])
    return "".join(tokens)


def _number(source: str, pick: Random) -> str:
    tokens = _tokens(source)
    places = [p for p in _inside(tokens) if tokens[p][0].isdigit()]
    if not places:
        return source
    at = pick.choice(places)
    old = tokens[at]
    if re.fullmatch(r"\d+", old):
        value = int(old)
        tokens[at] = str(pick.choice((value + 1, max(value - 1, 0), value, 0, 1, 2)))
    else:
        tokens[at] = pick.choice(("0.5f", "1.5f", "0.0f", "1.0f"))
    return "".join(tokens)


def _name(source: str, pick: Random) -> str:
    """A variable in place of another."""
    tokens = _tokens(source)
    places = [
        p
        for p in _inside(tokens)
        if re.match(r"[A-Za-z_]", tokens[p])
        and tokens[p] not in _WORDS
        and tokens[p - 1] not in (".", "->")
        and tokens[p + 1 : p + 2] != ["("]
        and tokens[p + 1 : p + 2] != ["."]
    ]
    if len(places) < 2:
        return source
    at, other = pick.sample(places, 2)
    subscripted = [tokens[p + 1 : p + 2] == ["["] for p in (at, other)]
    if subscripted[0] != subscripted[1]:
        return source
    tokens[at] = tokens[other]
    return "".join(tokens)


def _statements(lines: list[str]) -> list[int]:
    """Lines that are one statement which no brace depends on."""
    simple = re.compile(r"\s+[\w\[\]().>*+\- ,&]+ ?[-+*/]?= ?[^;{}]*;\s*$|\s+atomicAdd\([^;{}]*\);\s*$")
    declared = re.compile(
        r"\s+(?:const |unsigned |volatile |static |extern |__shared__ )*"
        r"(?:int|float|double|bool|long|auto|float\d|half2?|unsigned|size_t|char|short|[A-Z]\w*) "
    )
    return [n for n, line in enumerate(lines) if simple.match(line) and not declared.match(line)]


def _line(source: str, pick: Random) -> str:
    """A statement twice, gone, or where another was."""
    lines = source.splitlines(keepends=True)
    places = _statements(lines)
    if not places:
        return source
    at = pick.choice(places)
    match pick.choice(("twice", "gone", "exchanged", "moved")):
        case "twice":
            lines.insert(at, lines[at])
        case "gone":
            lines[at] = "\n" if lines[at - 1].rstrip().endswith((";", "{", "}")) else lines[at]
        case "exchanged":
            other = pick.choice(places)
            lines[at], lines[other] = lines[other], lines[at]
        case _:
            lines.insert(pick.choice(places), lines[at])
    return "".join(lines)


def _used_again(source: str, pick: Random) -> str:
    """A variable changed once more behind its declaration, or behind a statement that sets it."""
    lines = source.splitlines(keepends=True)
    set_ = [
        (n, found[1])
        for n, line in enumerate(lines)
        if (found := re.match(r"\s+(?:float |double )?(\w+) [-+*/]?= [^;{}]*;\s*$", line))
        and lines[n - 1].rstrip().endswith((";", "{", "}"))
    ]
    floats = set(re.findall(r"\b(?:float|double) (\w+)", source))
    set_ = [(n, name) for n, name in set_ if name in floats]
    if not set_:
        return source
    at, name = pick.choice(set_)
    indent = re.match(r"\s*", lines[at])[0]  # type: ignore[index]
    other = pick.choice([n for k, n in set_ if k <= at and lines[k].startswith(indent)])
    more = pick.choice(
        (
            f"{name} *= 1.25f;",
            f"{name} += 0.3f * {name} * {name};",
            f"{name} = sinf({name});",
            f"{name} += 0.5f;",  # nothing is owed here, and yet what follows owes as before
            f"{name} -= 0.5f * {other};",
            f"{other} += 0.5f * {name};",
        )
    )
    behind = at + 1
    for line in lines[at + 1 : at + pick.choice((1, 1, 4, 9))]:  # or further on in the same body
        if not line.startswith(indent) or line[len(indent) :].lstrip().startswith(("else", "}")):
            break
        if line[len(indent) :].startswith(" ") or not line.rstrip().endswith((";", "}")):
            continue
        behind = lines.index(line, behind) + 1
    if not lines[behind - 1].rstrip().endswith((";", "}")):
        behind = at + 1
    lines.insert(behind, f"{indent}{more}\n")
    return "".join(lines)


def _barrier(source: str, pick: Random) -> str:
    """A barrier gone, or of the warp alone: where the primal still doesn't race, the adjoint mustn't."""
    places = [found.span() for found in re.finditer(r"__syncthreads\(\);", source)]
    if not places:
        return source
    start, end = pick.choice(places)
    return source[:start] + pick.choice(("__syncwarp();", "__syncwarp();", "")) + source[end:]


_WAYS: tuple[Callable[[str, Random], str], ...] = (
    _operator,
    _operator,
    _number,
    _name,
    _name,
    _line,
    _line,
    _used_again,
    _used_again,
    _barrier,
)
