"""Cooperative groups and cub's reductions, read as what they do.

    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    float total = cg::reduce(warp, v, cg::plus<float>());

A group is nobody's variable: it is a way to name threads, and of what is called on it
nothing is left but barriers, warp functions and ranks. So this works on tokens, before
anything is parsed: what it replaces keeps its place in the file. Reductions become
calls of functions without a name in C++, which `collected` (reductions.py) lowers.
What isn't known here stays as it stands, and is refused by its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...source import Source
from . import pp_tokens, reduction_operators
from .pp_tokens import ID, Lexeme, words

GROUPS, CUB = "cooperative_groups", "cub"
REDUCTION = "s2sad reduction"
"""Before the name of an operation: what no C++ file can call a function."""

_ANY, _ANY_IN = "s2sad_reductions", "reductions.h"
"""What is called for structs, or for some threads alone."""

_NAMES = {"sum": "sum", "max": "larger", "min": "smaller"}
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
"""Of 64 bits, as in CUDA: what is made of them may need them."""
_WARP = 32
_OF_BLOCK = {"group_index": "blockIdx", "thread_index": "threadIdx"}
_OF_BLOCK |= {"group_dim": "blockDim", "dim_threads": "blockDim"}
_OF_GRID = {"block_index": "blockIdx", "group_dim": "gridDim", "dim_blocks": "gridDim"}
_SHUFFLES = words("shfl shfl_down shfl_up shfl_xor")
_VOTES = words("any all ballot")
_OPERATIONS = {"plus": "sum", "greater": "max", "less": "min", "Sum": "sum", "Max": "max", "Min": "min"}
_OPERATIONS |= {"maximum": "max", "minimum": "min"}
_SPACES = CUB, "std", "thrust"
_BRACKETS = {"(": ")", "[": "]", "{": "}"}


class Rank(Lexeme):
    """A token of a rank or of a size that is right for a launch of one dimension."""

    __slots__ = ()


@dataclass(frozen=True)
class Group:
    """A group of threads: a whole block, a tile of `size` threads of a parent, or all of the grid."""

    rank: str  # of a thread in the parent
    whole: str  # how many threads the parent has
    size: str = ""
    grid: bool = False


@dataclass(frozen=True)
class Reducer:
    """`cub::BlockReduce<T, N>` or `cub::WarpReduce<T>`: over how many threads, of values of which type."""

    kind: str
    type: tuple[Lexeme, ...]
    threads: str


def plain(tokens: Sequence[Lexeme]) -> tuple[Lexeme, ...]:
    """The tokens with what belongs to groups and reductions replaced by what it does."""
    if not any(token.value in (GROUPS, CUB) for token in tokens):
        return tuple(tokens)
    reader = _Reader(tokens)
    plainer = reader.read()
    return (*_any(), *plainer) if reader.any else tuple(plainer)


def _any() -> Iterator[Lexeme]:
    """The text of what reduces by any operation."""
    text = (Path(__file__).parent / _ANY_IN).read_text(encoding="utf-8")
    skipped = (*pp_tokens.BLANK, pp_tokens.LINE_COMMENT, pp_tokens.COMMENT)
    return (token for token in pp_tokens.scan(Source(_ANY_IN, text)) if token.type not in skipped)


def aliases(tokens: Sequence[Lexeme], library: str) -> Iterator[tuple[str, ...]]:
    """The words of `namespace cg = cooperative_groups` and `using namespace cooperative_groups`."""
    for i, token in enumerate(tokens):
        if token.value == library and i > 1:
            if tokens[i - 1].value == "=" and tokens[i - 3].value == "namespace":
                yield "namespace", tokens[i - 2].value, "=", library
            elif tokens[i - 1].value == "namespace" and tokens[i - 2].value == "using":
                yield "using", "namespace", library


class _Reader:
    def __init__(self, tokens: Sequence[Lexeme]) -> None:
        self.tokens = tokens
        self.out: list[Lexeme] = []
        self.groups: list[dict[str, Group]] = [{}]
        self.reducers: list[dict[str, Reducer]] = [{}]
        self.parameters: dict[str, Group] = {}  # of the function whose body comes next
        found = list(aliases(tokens, GROUPS))
        self.prefixes = {GROUPS, *(words[1] for words in found if words[0] == "namespace")}
        self.unqualified = any(words[0] == "using" for words in found)
        self.own = reduction_operators.own(tokens, tuple(_OPERATIONS))
        self.flat = not any(_is_axis(tokens, i) for i in range(len(tokens)))
        self.rank, self.whole = _RANKS[not self.flat], _SIZES[not self.flat]
        self.any = False  # whether that is needed
        self.grid = Group(_GRID_RANKS[not self.flat], _GRID_SIZES[not self.flat], grid=True)

    def value(self, i: int) -> str:
        return self.tokens[i].value if i < len(self.tokens) else ""

    def read(self) -> list[Lexeme]:
        i = 0
        while i < len(self.tokens):
            match self.value(i):
                case "{":
                    self.groups.append(self.parameters)
                    self.reducers.append({})
                    self.parameters = {}
                case "}" if len(self.groups) > 1:
                    self.groups.pop()
                    self.reducers.pop()
            end = self._replaced(i)
            if end is None:
                self.out.append(self.tokens[i])
                i += 1
            else:
                i = end
        return self.out

    def _replaced(self, i: int) -> int | None:
        """What stands at a token, replaced; the token behind it. None where nothing is known of it."""
        token = self.tokens[i]
        if token.type != ID and token.value != "::":
            return None
        if self.value(i - 1) in (".", "->") and i:
            return None
        return (
            self._declaration(i) or self._parameter(i) or self._use(i) or self._storage(i) or self._total(i)
        )

    def put(self, first: int, end: int, *parts: str | Sequence[Lexeme]) -> None:
        """New tokens with the place of those that they replace."""
        a, b = self.tokens[first], self.tokens[end - 1]
        last = b.end if a.origin is b.origin else a.end
        for part in parts:
            if not isinstance(part, str):
                self.out += part
            elif part.startswith(REDUCTION):
                self.out.append(Lexeme(ID, part, a.origin, a.start, last, a.uses))
            else:
                kind = Rank if self.flat and any(word in part for word in (_RANKS[0], _SIZES[0])) else Lexeme
                for token in pp_tokens.scan(Source(GROUPS, part)):
                    if token.type not in pp_tokens.BLANK:
                        self.out.append(kind(token.type, token.value, a.origin, a.start, last, a.uses))

    # ---- tokens --------------------------------------------------------------

    def _closing(self, i: int) -> int:
        """Where the bracket that opens at a token closes; of `<` its `>`. The end if it doesn't."""
        opening, depth = self.value(i), 0
        closing = ">" if opening == "<" else _BRACKETS[opening]
        while i < len(self.tokens):
            value = self.value(i)
            depth += (value == opening) - (value == closing) - 2 * (closing == ">" and value == ">>")
            if depth <= 0 or (opening == "<" and value in ";{"):
                return i
            i += 1
        return i

    def _arguments(self, i: int) -> list[tuple[int, int]]:
        """First and end of each argument between the brackets that open at a token."""
        last, parts, start, k = self._closing(i), [], i + 1, i + 1
        angles = 0
        while k < last:
            value = self.value(k)
            if value in _BRACKETS:
                k = self._closing(k)
            elif value == "<" and self.tokens[k - 1].type == ID:
                after = self._closing(k)
                k = after if self.value(after) == ">" and after < last else k
            elif value == "," and not angles:
                parts.append((start, k))
                start = k + 1
            k += 1
        if last > i + 1:
            parts.append((start, last))
        return parts

    def _text(self, first: int, end: int) -> str:
        return " ".join(token.value for token in self.tokens[first:end])

    def _named(self, i: int, name: str) -> int | None:
        """The token behind `cg::name`, or `name` where that is enough."""
        if self.value(i) in self.prefixes and self.value(i + 1) == "::" and self.value(i + 2) == name:
            return i + 3
        return i + 1 if self.unqualified and self.value(i) == name else None

    # ---- groups --------------------------------------------------------------

    def _group(self, i: int) -> tuple[Group, int] | None:
        """The group that an expression names, and the token behind it."""
        for known in reversed(self.groups):
            if self.value(i) in known:
                return known[self.value(i)], i + 1
        after = self._named(i, "this_thread_block")
        if after is not None and self.value(after) == "(" and self.value(after + 1) == ")":
            return Group(self.rank, self.whole), after + 2
        after = self._named(i, "this_grid")
        if after is not None and self.value(after) == "(" and self.value(after + 1) == ")":
            return self.grid, after + 2
        after = self._named(i, "tiled_partition")
        if after is None:
            return None
        size = ""
        if self.value(after) == "<":
            closing = self._closing(after)
            size, after = self._text(after + 1, closing), closing + 1
        if self.value(after) != "(":
            return None
        given = self._arguments(after)
        parent = self._group(given[0][0]) if given else None
        if parent is None or parent[0].grid or parent[1] != given[0][1] or len(given) != (1 if size else 2):
            return None
        size = size or self._text(*given[1])
        if not parent[0].size:
            return Group(self.rank, self.whole, size), self._closing(after) + 1
        outer = _operand(parent[0].size)
        return Group(f"({parent[0].rank} % {outer})", outer, size), self._closing(after) + 1

    def _declaration(self, i: int) -> int | None:
        """`cg::thread_block block = cg::this_thread_block();`, which leaves nothing."""
        first = i
        if self.value(i) == "const":
            i += 1
        after = self._type(i)
        if after is None and self.value(i) == "auto":
            after = i + 1
        if after is None:
            return None
        if self.value(after) in ("&", "&&"):
            after += 1
        if self.value(after) == "const":
            after += 1
        if self.value(after + 1) not in ("=", "(", "{"):
            return None
        found = self._group(after + 2)
        closing = _BRACKETS.get(self.value(after + 1), "")
        if found is None or self._text(found[1], found[1] + 1 + bool(closing)) != f"{closing} ;".strip():
            return None
        self.groups[-1][self.value(after)] = found[0]
        self.put(first, found[1], ";")
        return found[1] + 1 + bool(closing)

    def _type(self, i: int) -> int | None:
        """The token behind the type of a group, or None."""
        for name in ("thread_block", "thread_group", "grid_group"):
            if (after := self._named(i, name)) is not None:
                return after
        after = self._named(i, "thread_block_tile")
        if after is None or self.value(after) != "<":
            return None
        return self._closing(after) + 1

    def _parameter(self, i: int) -> int | None:
        """A group among the parameters of a function, or among the arguments of its call: it is left out."""
        before = self.value(i - 1)
        if before not in ("(", ",") or not i:
            return None
        at = i + (self.value(i) == "const")
        after = self._type(at)
        if after is not None:
            size = ""
            if self.value(after - 1) == ">":
                size = self._text(next(k for k in range(at, after) if self.value(k) == "<") + 1, after - 1)
            after += self.value(after) == "const"
            after += self.value(after) in ("&", "&&")
            if self.value(after + 1) not in (",", ")"):
                return None
            is_grid = "grid_group" in (token.value for token in self.tokens[at:after])
            self.parameters[self.value(after)] = self.grid if is_grid else Group(self.rank, self.whole, size)
            after += 1
        else:
            found = self._group(i)
            called = self.value(self._opening(i) - 1)
            if found is None or self.value(found[1]) not in (",", ")") or called in ("sync", "reduce"):
                return None
            after = found[1]
        if self.value(after) == ",":
            return after + 1
        if before == ",":
            self.out.pop()
        return after

    def _opening(self, i: int) -> int:
        """The bracket around a token."""
        depth = 0
        while i > 0 and depth >= 0:
            i -= 1
            depth += (self.value(i) in ")]}") - (self.value(i) in "([{")
        return i

    def _use(self, i: int) -> int | None:
        """A method of a group, or a function of groups."""
        for name in ("sync", "reduce"):
            after = self._named(i, name)
            if after is not None and self.value(after) == "(":
                return self._function(i, name, after)
        found = self._group(i)
        if found is None:
            return None
        if self.value(found[1]) != "." or self.value(found[1] + 2) != "(":
            if found[1] > i + 1:
                return None
            self.put(i, found[1], f"{GROUPS}::{self.value(i)}")  # to be refused by its name
            return found[1]
        group, dot = found
        name, opening = self.value(dot + 1), dot + 2
        end = self._closing(opening) + 1
        given = self._arguments(opening)
        text = self._method(group, name)
        if text and not given:
            self.put(i, end, text)
            return end
        if group.grid and name in _OF_GRID and not given and self.value(end) == ".":
            self.put(i, end, _OF_GRID[name])
            return end
        if name in _OF_BLOCK and not group.size and not group.grid and not given and self.value(end) == ".":
            self.put(i, end, _OF_BLOCK[name])
            return end
        if group.size and name in _SHUFFLES and len(given) == 2:
            width = "" if group.size == str(_WARP) else f", {group.size}"
            self._warp(i, end, f"__{name}_sync", [*given], width)
            return end
        if group.size == str(_WARP) and name in _VOTES and len(given) == 1:
            self._warp(i, end, f"__{name}_sync", [*given], "")
            return end
        self.put(i, opening, f"{GROUPS}::{name}")
        return opening

    def _warp(self, i: int, end: int, name: str, given: list[tuple[int, int]], more: str) -> None:
        """A function of a whole warp; its arguments are read as everything is."""
        self.put(i, end, f"{name}(0xffffffffu")
        for first, last in given:
            self.put(i, end, ",", self._read(first, last))
        self.put(i, end, f"{more})")

    def _read(self, first: int, end: int) -> list[Lexeme]:
        """A part of the text, with what is in it replaced."""
        outer, self.out = self.out, []
        i = first
        while i < end:
            after = self._replaced(i)
            if after is None:
                self.out.append(self.tokens[i])
            i = after or i + 1
        found, self.out = self.out, outer
        return found

    def _method(self, group: Group, name: str) -> str:
        """What a method without arguments gives or does; empty for others."""
        size = group.size
        match name:
            case "sync" if group.grid:
                return ""
            case "sync":
                return "__syncwarp()" if size else "__syncthreads()"
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
        """`cg::sync(group)`, `cg::reduce(tile, v, cg::plus<T>())`."""
        given, end = self._arguments(opening), self._closing(opening) + 1
        found = self._group(given[0][0]) if given else None
        if found is None or found[1] != given[0][1]:
            return None
        if name == "sync" and len(given) == 1 and not found[0].grid:
            self.put(i, end, self._method(found[0], "sync"))
            return end
        operation = self._operation(*given[2]) if len(given) == 3 else ""
        if name == "sync" or not operation or not found[0].size:
            return None
        self._reduction(i, end, f"warp {operation}", found[0].size, self._read(*given[1]))
        return end

    def _operation(self, first: int, end: int) -> str:
        """The word for `cg::plus<float>()`, `cub::Max()`; empty for what isn't known."""
        names = [token.value for token in self.tokens[first:end]]
        if len(names) < 3 or names[-2:] not in (["(", ")"], ["{", "}"]):
            return ""
        space = ""
        while len(names) > 2 and names[1] == "::":
            space, names = names[0], names[2:]
        if space and space not in (*self.prefixes, *_SPACES):
            return ""  # it may do anything
        if not space and names[0] in self.own:
            return self.own[names[0]]
        return _OPERATIONS.get(names[0], "") if names[1] in ("<", "(", "{") else ""

    def _reduction(self, i: int, end: int, what: str, threads: str, value: Sequence[Lexeme]) -> None:
        self.put(i, end, f"{REDUCTION} {what}", f"(({threads}), ", value)
        self.put(i, end, ",", self.rank, ")")

    # ---- cub -----------------------------------------------------------------

    def _reducer(self, i: int) -> tuple[Reducer, int] | None:
        """`cub::BlockReduce<float, 256>`, or a name for it; and the token behind it."""
        for known in reversed(self.reducers):
            if self.value(i) in known:
                return known[self.value(i)], i + 1
        kinds = ("BlockReduce", "WarpReduce")
        if self.value(i) != CUB or self.value(i + 1) != "::" or self.value(i + 2) not in kinds:
            return None
        if self.value(i + 3) != "<":
            return None
        given, end = self._arguments(i + 3), self._closing(i + 3) + 1
        kind, texts = self.value(i + 2), [self._text(*part) for part in given]
        if kind == "WarpReduce":
            threads = texts[1] if len(texts) > 1 else str(_WARP)
            return Reducer("warp", tuple(self.tokens[slice(*given[0])]), threads), end
        if len(texts) < 2:
            return None
        threads = " * ".join(f"({text})" for text in (texts[1], *texts[3:5]))
        return Reducer("block", tuple(self.tokens[slice(*given[0])]), threads), end

    def _storage(self, i: int) -> int | None:
        """A name for a reduction, or the memory that it works in: these leave nothing."""
        named = self.value(i) in ("typedef", "using")
        if self.value(i) == "typedef" and (found := self._reducer(i + 1)) is not None:
            if self.value(found[1] + 1) != ";":
                return None
            self.reducers[-1][self.value(found[1])] = found[0]
            end = found[1] + 1
        elif named and self.value(i + 2) == "=" and (found := self._reducer(i + 3)) is not None:
            if self.value(found[1]) != ";":
                return None
            self.reducers[-1][self.value(i + 1)] = found[0]
            end = found[1]
        elif self.value(i) == "__shared__":
            at = i + 1 + (self.value(i + 1) == "typename")
            found = self._reducer(at)
            if found is None or [self.value(found[1]), self.value(found[1] + 1)] != ["::", "TempStorage"]:
                return None
            end = found[1] + 2
            while end < len(self.tokens) and self.value(end) != ";":
                end += 1
        else:
            return None
        self.put(i, end, ";")
        return end + 1

    def _total(self, i: int) -> int | None:
        """`BlockReduce(memory).Sum(v)`, `.Reduce(v, cub::Max())`."""
        found = self._reducer(i)
        if found is None or self.value(found[1]) not in ("(", "{"):
            return None
        dot = self._closing(found[1]) + 1
        name = self.value(dot + 1)
        if self.value(dot) != "." or self.value(dot + 2) != "(":
            return None
        given, end = self._arguments(dot + 2), self._closing(dot + 2) + 1
        operation = "sum" if name == "Sum" and len(given) == 1 else ""
        if name == "Reduce" and len(given) == 2:
            operation = self._operation(*given[1])
        if not operation and found[0].kind == "block" and self._any(i, end, found[0], name, given):
            return end
        if not operation:
            self.put(i, dot + 2, f"{CUB}::{'Block' if found[0].kind == 'block' else 'Warp'}Reduce::{name}")
            return dot + 2
        value = self._read(*given[0])
        type = [*self._made(i, end, "static_cast<"), *found[0].type, *self._made(i, end, ">")]
        cast = [*type, *self._made(i, end, "("), *value, *self._made(i, end, ")")]
        self._reduction(i, end, f"{found[0].kind} {operation}", found[0].threads, cast)
        return end

    def _any(self, i: int, end: int, reducer: Reducer, name: str, given: list[tuple[int, int]]) -> bool:
        """`.Reduce(v, Join())` of structs, field by field; `.Sum(v, count)` of the first threads alone."""
        operations_, counts = (0, 1) if name == "Sum" else (1, 1) if name == "Reduce" else (0, 0)
        first, *others = given or [(i, i)]
        if not operations_ <= len(others) <= operations_ + counts:
            return False
        valid = self._read(*others.pop()) if len(others) > operations_ else []
        known = self._operation(*others[0]) if others else "sum"
        numbers = {token.value for token in reducer.type} <= reduction_operators.NUMBERS
        if known and numbers and valid:
            operation = [*self._made(i, end, f"{_ANY}::{_NAMES[known]}<"), *reducer.type]
            operation += self._made(i, end, ">()")
        elif others and not known and self._by_field(*others[0]):
            operation = self._read(*others[0])
        else:
            return False
        self.put(i, end, f"{_ANY}::of_block<{reducer.threads},", reducer.type, ">(", self._read(*first), ",")
        self.put(i, end, operation, f", {self.rank}, ", valid or self._made(i, end, reducer.threads), ")")
        self.any = True
        return True

    def _by_field(self, first: int, end: int) -> bool:
        """Whether it is `Join()` or `Join{}`, which joins two structs field by field."""
        names = [token.value for token in self.tokens[first:end]]
        plain = len(names) == 3 and names[1:] in (["(", ")"], ["{", "}"])
        return plain and reduction_operators.by_field(self.tokens, names[0])

    def _made(self, first: int, end: int, text: str) -> list[Lexeme]:
        """The tokens of a text, with the place of those that they replace."""
        outer, self.out = self.out, []
        self.put(first, end, text)
        found, self.out = self.out, outer
        return found


def _is_axis(tokens: Sequence[Lexeme], i: int) -> bool:
    """Whether `.y` or `.z` of a position stands at a token: `threadIdx.y`, `group_index().y`."""
    if tokens[i].value not in ("y", "z") or i < 4 or tokens[i - 1].value != ".":
        return False
    before = tokens[i - 2].value if tokens[i - 2].value != ")" else tokens[i - 4].value
    return before in ("threadIdx", "blockIdx", "blockDim", "gridDim") or before in _OF_BLOCK


def _operand(text: str) -> str:
    """A number of threads beside an operator."""
    if text.endswith(" - 1") and text[:-4].isdigit():
        return str(int(text[:-4]) - 1)
    return text if text.isdigit() else f"({text})"
