"""Check at the start of the adjoint kernel what it assumes about the launch.

    // Requires a 1-D launch (--assume launch:1d). Otherwise element 0 of each written adjoint becomes NaN.
    if (gridDim.y * gridDim.z * blockDim.y * blockDim.z != 1) {
        adj_x[0] = nanf("");
        return;
    }

A launch that isn't as declared would lose or duplicate terms of sums and return plausible
but wrong numbers. Instead the first element of each adjoint that the kernel writes becomes
NaN. The check gives the same result in all threads of the launch.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from ...analysis.constants import FLIPPED, WARP
from ...analysis.loops.counted_loops import constant
from ...analysis.threads.uniform_guards import Even
from ...ir import (
    BOOL,
    INT,
    UINT,
    ULLONG,
    Assign,
    Binary,
    Comment,
    Const,
    Expr,
    If,
    Place,
    Return,
    Scalar,
    Special,
    Stmt,
    Sym,
    all_parts,
    scalar_type,
)
from ...irtext import show
from ...options import Assumption, block_size
from ..common.algebra import converted, real, rewrite, without_conversions
from ..common.jumps import negation
from ..common.wording import listed
from ..normalise.tree_sums import Trees


def extents(assumed: Iterable[Assumption], parameters: Iterable[Sym]) -> tuple[Expr, ...]:
    """The declared number of threads along each axis; empty if not declared."""
    sizes = {s.name: Place(s, (), s.type) for s in parameters}
    found = [a.what.split(":") for a in assumed if a.kind == "covers"]
    return tuple(Const(int(e), INT) if e.isdigit() else sizes[e] for e in (found[-1] if found else ()))


def tested(
    assumed: Iterable[Assumption],
    whole_warps: str,
    trees: Trees,
    owed: Iterable[Place],
    absent: frozenset[str],
    covered: Sequence[Expr],
    most_dimensions: int,
    widths: Mapping[str, Expr],
    alone: frozenset[str],
    even: Iterable[Even],
    ranges: Iterable[Expr],
) -> list[Stmt]:
    """The check of what was declared; `whole_warps`: why a block's rows must be whole warps, if so.

    `trees`: what block sums assume. `owed`: the first elements of the adjoints that the kernel
    writes; those of arrays that may be `absent` are set only if the pointer isn't null.
    `covered`: the minimum number of threads along each axis, in blocks of these `widths`, by
    axis. A block has at most `most_dimensions`. `alone`: coordinates that must be zero. `even`: what
    guards assume so that they don't split threads that synchronize. `ranges`: comparisons that are declared.
    """
    words: list[str] = []
    wrong: list[Expr] = []
    assumed = tuple(assumed)
    block = block_size(assumed)
    dimensions = min((int(a.what[0]) for a in assumed if a.kind == "launch"), default=3)
    if dimensions < 3:
        words.append(f"a {dimensions}-D launch (--assume launch:{dimensions}d)")
        wrong.append(Binary("!=", _size("xyz"[dimensions:]), Const(1, INT), BOOL))
    if covered:
        sizes = list(map(show, covered))
        words.append(f"a launch that covers {' by '.join(sizes)} (--assume covers:{':'.join(sizes)})")
        for axis, extent in zip("xyz", covered, strict=False):
            wrong += _short(axis, extent, widths.get(axis))
    if block:
        words.append(f"blocks of {_by(block)} threads (--assume block:{_by(block, ':')})")
        for axis, most in list(zip("xyz", block, strict=True))[: min(dimensions, most_dimensions)]:
            known = Const(most, UINT, spelling=str(most))
            wrong.append(Binary("!=", Special("blockDim", axis), known, BOOL))
    if whole_warps and not (block and block[0] % WARP == 0):
        words.append(f"blockDim.x a multiple of {WARP} ({whole_warps})")
        rest = Binary("%", Special("blockDim", "x"), Const(WARP, UINT, spelling=str(WARP)), UINT)
        wrong.append(Binary("!=", rest, Const(0, UINT, spelling="0"), BOOL))
    if trees.rows:
        words.append("blockDim.y and blockDim.z of 1 (only threadIdx.x distinguishes threads)")
        both = Binary("*", Special("blockDim", "y"), Special("blockDim", "z"), UINT)
        wrong.append(Binary("!=", both, Const(1, UINT, spelling="1"), BOOL))
    if alone:
        sizes = sorted(map(extent_of, alone))
        words.append(f"{listed(sizes)} of 1 (more threads would race)")
        wrong += [Binary("!=", _special(s), Const(1, INT), BOOL) for s in sizes]
    guards = tuple(even)
    if guards:
        asked = [words for guard in guards for words in _in_words(guard, " ")]
        words.append(f"{listed(list(dict.fromkeys(asked)))} (divergent threads can't synchronise)")
        wrong += dict.fromkeys(test for guard in guards for test in _uneven(guard))
    for cond in ranges:
        if _is_implied(cond, block):
            continue
        text = show(without_conversions(cond))
        words.append(f"{text} (--assume range:{text.replace(' ', '')})")
        wrong.append(_with_constant_last(negation(cond)))
    if trees.halved:
        words.append("blockDim.x a power of two (the primal's tree sum halves it)")
        size = Special("blockDim", "x")
        both = Binary("&", size, Binary("-", size, Const(1, UINT, spelling="1"), UINT), UINT)
        wrong.append(Binary("!=", both, Const(0, UINT, spelling="0"), BOOL))
    if not wrong:
        return []
    cond = wrong[0]
    for other in wrong[1:]:
        cond = Binary("||", cond, other, BOOL)
    marks: list[Stmt] = []
    for place in owed:
        mark = Assign(place, real(math.nan, place.type))
        guarded = place.sym.of is not None and place.sym.of.name in absent
        there = Special("present", place.sym.name, BOOL)
        marks.append(If(there, (mark,)) if guarded else mark)
    otherwise = "Otherwise element 0 of each written adjoint becomes NaN."
    return [Comment(f"Requires {'; '.join(words)}. {otherwise}"), If(cond, (*marks, Return()))]


def _with_constant_last(cond: Expr) -> Expr:
    match cond:
        case Binary(op, Const() as left, right) if op in FLIPPED:
            return Binary(FLIPPED[op], right, left, BOOL)
        case _:
            return cond


def _is_implied(cond: Expr, block: Sequence[int]) -> bool:
    """Whether a comparison holds for the declared size of the block: blockDim.x % 32 < 1 for 256."""

    def change(e: Expr) -> Expr | None:
        match e:
            case Special("blockDim", axis) if block:
                return Const(block["xyz".index(axis)], scalar_type(e))
            case _:
                return None

    match rewrite(cond, change):
        case Binary("<" | "<=" as op, left, right):
            a, b = constant(left), constant(right)
            return a is not None and b is not None and (a < b or (op == "<=" and a == b))
        case _:
            return False


def _by(sizes: Sequence[int], apart: str = " by ") -> str:
    """`16 by 16`: without the axes along which there is one."""
    most = max((k for k, size in enumerate(sizes) if size > 1), default=0)
    return apart.join(map(str, sizes[: most + 1]))


def _short(axis: str, extent: Expr, width: Expr | None) -> list[Expr]:
    """The tests for too few threads along an axis, or for blocks of another width."""
    block, blocks = Special("blockDim", axis), Special("gridDim", axis)
    kind = scalar_type(extent) if scalar_type(extent).size > UINT.size else UINT
    most = converted(block if width is None else width, UINT)
    threads = converted(Binary("*", blocks, most, UINT), kind)
    short: Expr = Binary("<", threads, converted(extent, kind), BOOL)
    return [short] if width is None else [Binary("!=", block, most, BOOL), short]


def in_words(even: Even) -> str:
    """`n is a multiple of blockDim.x or no less than gridDim.x * blockDim.x`."""
    return listed(_in_words(even, " is "))


def _in_words(even: Even, verb: str) -> list[str]:
    """The condition on the bound, and on the block's width where it matters."""
    size, extent = _sizes(even)
    past = "" if extent is None else f" or no less than {show(extent)}"
    bound = f"{even.bound.name}{verb}a multiple of {show(size)}{past}"
    return [bound] if even.width is None else [bound, f"blockDim.x{verb}no more than {show(even.width)}"]


def _sizes(even: Even) -> tuple[Expr, Expr | None]:
    """The size of a group, and the value that positions stay below."""
    block = even.width or Special("blockDim", "x")
    size = block if even.group == "block" else Const(WARP, INT)
    match even.over:
        case "grid":
            return size, Binary("*", Special("gridDim", "x"), block, UINT)
        case "block":
            return size, block
        case "part":
            return size, None


def _uneven(even: Even) -> list[Expr]:
    """The tests whether a bound splits a group between those that pass a guard and those that don't."""
    size, extent = _sizes(even)
    assert isinstance(even.bound.type, Scalar)
    kind = ULLONG if even.bound.type.size > UINT.size else UINT
    if extent is None:
        kind = even.bound.type
    bound = converted(Place(even.bound, (), even.bound.type), kind)
    rest = Binary("%", bound, converted(size, kind), kind)
    uneven: Expr = Binary("!=", rest, Const(0, INT), BOOL)
    if isinstance(extent, Binary):
        threads = Binary("*", converted(extent.left, kind), converted(extent.right, kind), kind)
        uneven = Binary("&&", uneven, Binary("<", bound, threads, BOOL), BOOL)
    elif extent is not None:
        uneven = Binary("&&", uneven, Binary("<", bound, converted(extent, kind), BOOL), BOOL)
    if even.width is None:
        return [uneven]
    return [Binary(">", Special("blockDim", "x"), converted(even.width, UINT), BOOL), uneven]


def may_be_absent(body: Iterable[Stmt]) -> frozenset[str]:
    """The parameters that a kernel tests for null."""
    found = all_parts(*body)
    return frozenset(e.axis for e in found if isinstance(e, Special) and e.name == "present")


def _size(axes: str) -> Expr:
    """The number of threads along some axes of the launch."""
    parts: list[Expr] = [Special(name, axis) for name in ("gridDim", "blockDim") for axis in axes]
    value = parts[0]
    for part in parts[1:]:
        value = Binary("*", value, part, UINT)
    return value


def extent_of(coordinate: str) -> str:
    """The extent of a coordinate: blockDim.y for threadIdx.y."""
    name, _, axis = coordinate.partition(".")
    return f"{'blockDim' if name == 'threadIdx' else 'gridDim'}.{axis}"


def _special(extent: str) -> Special:
    name, _, axis = extent.partition(".")
    return Special("blockDim" if name == "blockDim" else "gridDim", axis)
