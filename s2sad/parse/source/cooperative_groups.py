"""Replace cooperative groups by the operations that they perform.

    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    float total = cg::reduce(warp, v, cg::plus<float>());

A group isn't lowered as a variable: it names a set of threads, and calls on it become
barriers, warp functions and ranks. Reductions become calls of functions without a name in
C++, which lower/reductions.py lowers. What isn't known here stays as it is, and is refused
by its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from . import reduction_operators
from .pp_tokens import Lexeme, words
from .reduction_operators import REDUCTION
from .token_rewriting import Rewriter

GROUPS = "cooperative_groups"

_RANKS = "threadIdx.x", "((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x)"
_SIZES = "blockDim.x", "(blockDim.x * blockDim.y * blockDim.z)"
_GRID_RANKS = (
    "((unsigned long long)(blockIdx.x * blockDim.x + threadIdx.x))",
    "((unsigned long long)((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x)"
    f" * {_SIZES[1]} + {_RANKS[1]})",
)
_GRID_SIZES = (
    "((unsigned long long)(gridDim.x * blockDim.x))",
    f"((unsigned long long)(gridDim.x * gridDim.y * gridDim.z) * {_SIZES[1]})",
)
"""64 bits wide, as in CUDA: values computed from them may need that."""
_WARP = "32"
_OF_BLOCK = {"group_index": "blockIdx", "thread_index": "threadIdx"}
_OF_BLOCK |= {"group_dim": "blockDim", "dim_threads": "blockDim"}
_OF_GRID = {"block_index": "blockIdx", "group_dim": "gridDim", "dim_blocks": "gridDim"}
_SHUFFLES = words("shfl shfl_down shfl_up shfl_xor")
_VOTES = words("any all ballot")


@dataclass(frozen=True)
class Group:
    """A group of threads: a whole block, a tile of `size` threads of a parent, or the whole grid."""

    rank: str  # of a thread in the parent
    whole: str  # the number of threads in the parent
    size: str = ""
    grid: bool = False


def aliases(tokens: Sequence[Lexeme], library: str) -> Iterator[tuple[str, ...]]:
    """Yield the words of `namespace cg = cooperative_groups` and `using namespace cooperative_groups`."""
    for i, token in enumerate(tokens):
        if token.value == library and i > 1:
            if tokens[i - 1].value == "=" and tokens[i - 3].value == "namespace":
                yield "namespace", tokens[i - 2].value, "=", library
            elif tokens[i - 1].value == "namespace" and tokens[i - 2].value == "using":
                yield "using", "namespace", library


class Groups(Rewriter):
    """Replaces groups, their methods, and functions that take them."""

    def __init__(self, tokens: Sequence[Lexeme]) -> None:
        super().__init__(tokens)
        found = list(aliases(tokens, GROUPS))
        self.prefixes = {GROUPS, *(words[1] for words in found if words[0] == "namespace")}
        self.unqualified = any(words[0] == "using" for words in found)
        self.own = reduction_operators.own(tokens)
        axes = any(_is_axis(tokens, i) for i in range(len(tokens)))
        self.ranks = () if axes else (_RANKS[0], _SIZES[0])
        self.block = Group(_RANKS[axes], _SIZES[axes])
        self.grid = Group(_GRID_RANKS[axes], _GRID_SIZES[axes], grid=True)

    def replaced(self, i: int) -> int | None:
        """Replace what belongs to groups."""
        return self._declaration(i) or self._parameter(i) or self._use(i)

    # ---- resolving groups ------------------------------------------------------

    def _named(self, i: int, name: str) -> int | None:
        """Return the index after `cg::name`, or after `name` where that is enough."""
        if self.value(i) in self.prefixes and self.says(i + 1, "::", name):
            return i + 3
        return i + 1 if self.unqualified and self.value(i) == name else None

    def _group(self, i: int) -> tuple[Group, int] | None:
        """Return the group that an expression names, and the index after it."""
        if (known := self.known(i, Group)) is not None:
            return known, i + 1
        for name, group in (("this_thread_block", self.block), ("this_grid", self.grid)):
            after = self._named(i, name)
            if after is not None and self.says(after, "(", ")"):
                return group, after + 2
        after = self._named(i, "tiled_partition")
        if after is None:
            return None
        size = ""
        if self.value(after) == "<":
            closing = self.closing(after)
            size, after = self.text(after + 1, closing), closing + 1
        if self.value(after) != "(":
            return None
        given = self.arguments(after)
        parent = self._group(given[0][0]) if given else None
        if parent is None or parent[0].grid or parent[1] != given[0][1] or len(given) != (1 if size else 2):
            return None
        size, end = size or self.text(*given[1]), self.closing(after) + 1
        if not parent[0].size:
            return replace(self.block, size=size), end
        outer = _operand(parent[0].size)
        return Group(f"({parent[0].rank} % {outer})", outer, size), end

    def _type(self, i: int) -> tuple[Group, int] | None:
        """Return the group that a parameter of this type denotes, and the index after the type."""
        for name in ("thread_block", "thread_group", "grid_group"):
            if (after := self._named(i, name)) is not None:
                return self.grid if name == "grid_group" else self.block, after
        after = self._named(i, "thread_block_tile")
        if after is None or self.value(after) != "<":
            return None
        end = self.closing(after)
        size = self.text(after + 1, end) if self.value(end) == ">" else ""
        return replace(self.block, size=size), end + 1

    # ---- declarations ----------------------------------------------------------

    def _declaration(self, i: int) -> int | None:
        """Remove `cg::thread_block block = cg::this_thread_block();`, and record the group."""
        at = i + (self.value(i) == "const")
        type = self._type(at)
        if type is None and self.value(at) != "auto":
            return None
        name = type[1] if type is not None else at + 1
        name += self.value(name) in ("&", "&&")
        name += self.value(name) == "const"
        closing = {"=": (), "(": (")",), "{": ("}",)}.get(self.value(name + 1))
        found = self._group(name + 2) if closing is not None else None
        if closing is None or found is None or not self.says(found[1], *closing, ";"):
            return None
        self.scopes[-1][self.value(name)] = found[0]
        self.put(i, found[1], ";")
        return found[1] + 1 + len(closing)

    def _parameter(self, i: int) -> int | None:
        """Remove a group from the parameters of a function, or from the arguments of its call."""
        before = self.value(i - 1)
        if before not in ("(", ","):
            return None
        type = self._type(i + (self.value(i) == "const"))
        if type is not None:
            name = type[1] + (self.value(type[1]) == "const")
            name += self.value(name) in ("&", "&&")
            after = name + 1
            if self.value(after) not in (",", ")"):
                return None
            self.parameters[self.value(name)] = type[0]
        else:
            found = self._group(i)
            called = self.value(self.opening(i) - 1)
            if found is None or self.value(found[1]) not in (",", ")") or called in ("sync", "reduce"):
                return None
            after = found[1]
        if self.value(after) == ",":
            return after + 1
        if before == ",":
            self.out.pop()
        return after

    # ---- calls -------------------------------------------------------------------

    def _use(self, i: int) -> int | None:
        """Replace a method of a group, or a function of groups."""
        for name in ("sync", "reduce"):
            after = self._named(i, name)
            if after is not None and self.value(after) == "(":
                return self._function(i, name, after)
        found = self._group(i)
        if found is None:
            return None
        group, dot = found
        name, opening = self.value(dot + 1), dot + 2
        if self.value(dot) != "." or self.value(opening) != "(":
            if dot > i + 1:
                return None
            self.put(i, dot, f"{GROUPS}::{self.value(i)}")  # so that it is refused by its name
            return dot
        end, given = self.closing(opening) + 1, self.arguments(opening)
        axes = _OF_GRID if group.grid else {} if group.size else _OF_BLOCK
        votes = _VOTES if group.size == _WARP else _VOTES - {"ballot"}  # whose bits would need shifting
        many = 2 if name in _SHUFFLES else 1 if name in votes else 0
        if not given and (text := self._method(group, name)):
            self.put(i, end, text)
        elif not given and name in axes and self.value(end) == ".":
            self.put(i, end, axes[name])
        elif group.size and many and len(given) == many:  # the arguments are rewritten, too
            read = [part for each in given for part in (",", self.read(*each))]
            width = f", {group.size}" if name in _SHUFFLES and group.size != _WARP else ""
            self.put(i, end, f"__{name}_sync({self._mask(group.size)}", *read, f"{width})")
        else:
            self.put(i, opening, f"{GROUPS}::{name}")
            return opening
        return end

    def _mask(self, size: str) -> str:
        """Return the mask of a tile's lanes."""
        if size == _WARP:
            return "0xffffffffu"
        many = _operand(size)
        lanes = f"0x{(1 << int(size)) - 1:x}u" if size.isdigit() else f"0xffffffffu >> ({_WARP} - {many})"
        return f"{lanes} << ({self.block.rank} % {_WARP} / {many} * {many})"

    def _method(self, group: Group, name: str) -> str:
        """Return the replacement of a method without arguments; empty for other methods."""
        size = group.size
        match name:
            case "sync" if group.grid:
                return ""
            case "sync" if size:
                return f"__syncwarp({self._mask(size) if size != _WARP else ''})"
            case "sync":
                return "__syncthreads()"
            case "thread_rank":
                return f"({group.rank} % {_operand(size)})" if size else group.rank
            case "size" | "num_threads":
                return (f"{size}u" if size.isdigit() else f"((unsigned)({size}))") if size else group.whole
            case "meta_group_rank" if size:
                return f"({group.rank} / {_operand(size)})"
            case "meta_group_size" if size:
                return f"(({group.whole} + {_operand(f'{size} - 1')}) / {_operand(size)})"
            case _:
                return ""

    def _function(self, i: int, name: str, opening: int) -> int | None:
        """Replace `cg::sync(group)`, `cg::reduce(tile, v, cg::plus<T>())`."""
        given, end = self.arguments(opening), self.closing(opening) + 1
        found = self._group(given[0][0]) if given else None
        if found is None or found[1] != given[0][1]:
            return None
        if name == "sync" and len(given) == 1 and not found[0].grid:
            self.put(i, end, self._method(found[0], "sync"))
            return end
        operation = self.operation(*given[2]) if len(given) == 3 else ""
        if name == "sync" or not operation or not found[0].size:
            return None
        self.reduce(i, end, f"warp {operation}", found[0].size, self.read(*given[1]))
        return end

    def operation(self, first: int, end: int) -> str:
        """Return the operation of `cg::plus<float>()`, `cub::Max()`; empty if it is unknown."""
        names = [token.value for token in self.tokens[first:end]]
        if len(names) < 3 or names[-2:] not in (["(", ")"], ["{", "}"]):
            return ""
        space = ""
        while len(names) > 2 and names[1] == "::":
            space, names = names[0], names[2:]
        if space and space not in (*self.prefixes, *reduction_operators.SPACES):
            return ""  # it is unknown
        if not space and names[0] in self.own:
            return self.own[names[0]]
        return reduction_operators.OPERATIONS.get(names[0], "") if names[1] in ("<", "(", "{") else ""

    def reduce(self, i: int, end: int, what: str, threads: str, value: Sequence[Lexeme]) -> None:
        """Emit the call that denotes a reduction, with the number of threads, the value and the rank."""
        place, *_ = self.made(i, end, "_")
        place.value = f"{REDUCTION} {what}"
        self.put(i, end, [place], f"(({threads}), ", value, ",", self.block.rank, ")")


def _is_axis(tokens: Sequence[Lexeme], i: int) -> bool:
    """Whether a token is the `y` or `z` of a position: `threadIdx.y`, `group_index().y`."""
    if tokens[i].value not in ("y", "z") or i < 4 or tokens[i - 1].value != ".":
        return False
    before = tokens[i - 2].value if tokens[i - 2].value != ")" else tokens[i - 4].value
    return before in ("threadIdx", "blockIdx", "blockDim", "gridDim") or before in _OF_BLOCK


def _operand(text: str) -> str:
    """Return a number of threads as an operand, in parentheses if necessary."""
    if text.endswith(" - 1") and text[:-4].isdigit():
        return str(int(text[:-4]) - 1)
    return text if text.isdigit() else f"({text})"
