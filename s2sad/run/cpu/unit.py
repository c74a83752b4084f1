"""The translation unit to compile: the text, preceded by our header and followed by its entries.

The text is changed only where a C++ header can't do it: `#include` lines move
before the namespace, `extern __shared__` arrays get the label of the engine's buffer,
other shared variables may become references (shared.py), and `float` becomes `double` on request.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from ...signature import Signature
from .. import halves
from ..float_widening import TEXTS, Real, Token, to_double, to_dual, tokens
from . import rivals, shared, specialised

_WAITS = re.compile(
    r"__syncthreads(_\w+)?|__syncwarp|__shfl\w*|__(all|any|uni|ballot)(_sync)?|__activemask"
    r"|__(match|reduce)_\w+|__barrier_sync\w*|__cluster_barrier_\w+"
)
_SIMD = re.compile(r"__v\w+")
_DYNAMIC_BYTES = 256 * 1024
_LAUNCHED = "%%dynamic_smem_size"  # a special register of PTX
_LABEL = ' __asm__("s2sad_dynamic_shared")'


_REWRITTEN: Mapping[Real, Callable[[str], str]] = {
    "float": str,
    "double": to_double,
    "dual": to_dual,
    "hyper": to_dual,
}
_TIMES = {"float": 1, "double": 2, "dual": 4, "hyper": 8}  # size relative to a float
_TYPES = {"float": "float", "double": "double", "dual": "s2sad_dual", "hyper": "s2sad_hyper"}


HEADER = '#include "cuda_on_cpu.h"\n'
"""The line of a unit after which the text begins."""


def write(
    text: str,
    signatures: Sequence[Signature],
    real: Real,
    name: str,
    *,
    watched: bool = False,
    counted: bool = False,
) -> str:
    """Return the C++ text to compile: `watched` for build_watched, `counted` for marks (counting.py)."""
    if real != "float":
        text = apart(text, name)
    parts = list(tokens(_REWRITTEN[real](text)))
    names = {token.text for token in parts if token.kind == "name"}
    includes, body = _hoist(parts)
    body, dynamic, lodged = _shared(body)
    lines = [f"#define S2SAD_REAL {_TYPES[real]}"]
    if real in ("dual", "hyper"):
        lines.append("#define S2SAD_DUAL_NUMBERS 1")
    if real == "hyper":
        lines.append("#define S2SAD_HYPER_DUAL 1")
    if watched:
        lines.append("#define S2SAD_WATCHED 1")
    if counted:
        lines.append("#define S2SAD_COUNTED 1")
    if any(_WAITS.fullmatch(used) for used in names):
        lines.append("#define S2SAD_FIBERS 1")
    if dynamic:
        size = _DYNAMIC_BYTES * _TIMES[real]
        lines.append(f"#define S2SAD_DYNAMIC_SHARED {size}")
    if lodged:
        lines.append(f"#define S2SAD_SHARED_ROOM {shared.ROOM_BYTES * _TIMES[real]}")
    if any(_SIMD.fullmatch(used) for used in names):
        lines.append("#define S2SAD_SIMD 1")
    if halves.used(parts):
        lines.append("#define S2SAD_HALF 1")
    if "printf" in names:
        lines.append("#define S2SAD_PRINTS 1")
    lines += includes
    lines += [HEADER.rstrip(), "namespace cuda_on_cpu {"]
    quoted = name.replace("\\", "/").replace('"', "'").replace("\n", " ")
    lines += [f'#line 1 "{quoted}"', "".join(token.text for token in body)]
    lines += ['#line 1 "entries"', "}"]
    for signature in signatures:
        lines.append(f"S2SAD_KERNEL({signature.name})")
        lines += [
            f"S2SAD_SIZE({size})"
            for size in (f"{signature.name}_tape_bytes", f"{signature.name}_shared_bytes")
            if size in names
        ]
    return "\n".join(lines) + "\n"


@lru_cache(TEXTS)
def apart(text: str, name: str) -> str:
    """Return the text with overloads that float and double distinguish under different names."""

    def written(marked: str) -> str:
        return write(marked, (), "float", rivals.MARKS)

    return specialised.settled(rivals.settled(text, written, name), written, name)


def dynamic_shared(text: str) -> list[str]:
    """Return the names of the text's dynamic shared memory."""
    found = []
    for statement in _statements(list(tokens(text))):
        names = [token.text for token in statement if token.kind == "name"]
        if "extern" in names and "__shared__" in names:
            found.append(names[-1])
    return found


def _hoist(parts: Sequence[Token]) -> tuple[list[str], list[Token]]:
    """Return include lines, and the text with blank lines in their place."""
    includes = [token.text.strip() for token in parts if token.kind == "include"]
    return includes, [Token("space", "") if token.kind == "include" else token for token in parts]


def _shared(parts: Sequence[Token]) -> tuple[list[Token], bool, bool]:
    """Rewrite declarations of shared memory; return whether any is `extern`, and whether any is in a room.

    `extern __shared__ T name[];` declares the engine's buffer, with its type kept.
    """
    out: list[Token] = []
    found = lodged = False
    templates = shared.in_templates(parts)
    rooms = templates or shared.outside_of_kernels(list(_statements(parts)))
    for number, statement in enumerate(_declarations(parts)):
        names = [token.text for token in statement if token.kind == "name"]
        if "asm" in names and any(_LAUNCHED in token.text for token in statement):
            found = True
            read = Token("other", f" {names[-1]} = (unsigned)s2sad_dynamic_bytes();")
            out += [*shared.blank(statement), read]
        elif "__shared__" not in names:
            out += statement
        elif "extern" in names:
            found = True
            before = shared.directives(statement)
            out, statement = [*out, *statement[:before]], statement[before:]
            out += (shared.dynamic(statement) if templates else []) or _labelled(statement)
        else:
            before = shared.directives(statement)
            out, statement = [*out, *statement[:before]], statement[before:]
            reference = shared.fixed(statement, number) if rooms else []
            lodged = lodged or bool(reference)
            out += reference or statement
    return out, found, lodged


def _labelled(statement: Sequence[Token]) -> Iterator[Token]:
    depth = 0
    for token in statement:
        depth += (token.text in "([{") - (token.text in ")]}") if token.kind == "other" else 0
        if token.text == "__shared__":
            continue
        if depth == 0 and token.kind == "other" and token.text in ",;":
            yield Token("other", _LABEL)
        yield token


def _declarations(parts: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield statements; one may define the type of shared variables: `__shared__ struct { … } sm;`."""
    whole: list[Token] = []
    for statement in _statements(parts):
        whole += statement
        names = {token.text for token in whole if token.kind == "name"}
        depth = sum((t.text == "{") - (t.text == "}") for t in whole if t.kind == "other")
        defines = "__shared__" in names and names & {"struct", "class", "union"} and depth >= 0
        if not defines or (whole[-1].text == ";" and depth == 0):
            yield whole
            whole = []
    yield whole


def _statements(parts: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield runs of tokens that end with a semicolon or a brace."""
    run: list[Token] = []
    for token in parts:
        run.append(token)
        if token.kind == "other" and token.text in ";{}":
            yield run
            run = []
    yield run
