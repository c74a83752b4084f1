"""The kernel language on one page: the result of parsing and the input of everything else.

Expressions are values: they compare by structure. Statements are places: they
compare by identity, so that tables of facts can be keyed by them. Symbols have
identity too, so shadowing can't go wrong. Everything is frozen; facts are kept in
tables beside the tree, never on it, except facts of an expression or a statement by itself.

The front end guarantees for a `Kernel` (`ircheck.check` tests it):

* every conversion that C++ makes is a `Cast`, implicit or written;
* expressions have no side effects: `++`, assignments and commas inside
  expressions have become statements, in the evaluation order of C++17;
* the operands of `+ - * /` have one type, which is the type of the result; it isn't of
  half precision: such values are converted to `float`, and the results back
  (integers that the transformation combines may have two types, which C++ converts;
  after the emitter has reassembled structs, vectors are added and scaled as wholes);
* conditions have type `bool`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import Literal, TypeVar, assert_never

from .diagnostics import Diagnostic
from .source import Span

# ---- types ------------------------------------------------------------------

ScalarKind = Literal["float", "signed", "unsigned", "bool", "void"]


@dataclass(frozen=True)
class Scalar:
    """An arithmetic type: its kind, its size in bytes, its C name, and the author's name for it."""

    name: str
    kind: ScalarKind
    size: int
    alias: str = field(default="", compare=False)  # of a `typedef` of the file

    @property
    def spelled(self) -> str:
        return self.alias or self.name

    @property
    def is_float(self) -> bool:
        return self.kind == "float"

    @property
    def is_integer(self) -> bool:
        return self.kind in ("signed", "unsigned", "bool")

    @property
    def is_half(self) -> bool:
        """Whether the type is of half precision: stored as such, computed in `float`."""
        return self.kind == "float" and self.size == 2


@dataclass(frozen=True)
class Pointer:
    """A pointer; the qualifiers are those the author wrote and `const` is the target's.

    A parameter of a device function may be a reference, used as a pointer to one element.
    """

    target: Type
    const: bool = False
    restrict: bool = False
    reference: bool = False


@dataclass(frozen=True)
class Array:
    """An array with constant extents, outermost first."""

    element: Scalar
    extents: tuple[int, ...]
    # The author's spelling of each extent (`BLOCK + 2`), for output.
    spelled: tuple[str, ...] = field(default=(), compare=False)

    @property
    def single(self) -> bool:
        """Whether this is one variable in shared memory, which the author wrote without an index."""
        return self.spelled == ("",) and not self.open

    @property
    def open(self) -> bool:
        """Whether the launch gives the extent: `extern __shared__ float part[];`."""
        return self.extents == (0,)

    @property
    def elements(self) -> int:
        """The total number of elements."""
        return prod(self.extents)


@dataclass(frozen=True)
class Struct:
    """A struct or a vector type, or an array of such, outermost extent first.

    A variable of this type becomes one symbol per field, whose `within` it is: between the
    front end and the emitter there are only scalars.
    """

    name: str
    fields: tuple[Field, ...] = ()
    built_in: bool = False
    align: int = 0  # the definition's alignment beyond its fields' own
    extents: tuple[int, ...] = ()
    spelled: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Field:
    """A field of a struct. `written`: in this variable, what a pointer to const points to is written, too."""

    name: str
    type: Type
    written: bool = False


Type = Scalar | Pointer | Array | Struct

HALF = Scalar("__half", "float", 2)
BFLOAT16 = Scalar("__nv_bfloat16", "float", 2)
FLOAT = Scalar("float", "float", 4)
DOUBLE = Scalar("double", "float", 8)
BOOL = Scalar("bool", "bool", 1)
CHAR = Scalar("char", "signed", 1)
SCHAR = Scalar("signed char", "signed", 1)
UCHAR = Scalar("unsigned char", "unsigned", 1)
SHORT = Scalar("short", "signed", 2)
USHORT = Scalar("unsigned short", "unsigned", 2)
INT = Scalar("int", "signed", 4)
UINT = Scalar("unsigned int", "unsigned", 4)
LONG = Scalar("long", "signed", 8)
ULONG = Scalar("unsigned long", "unsigned", 8)
LLONG = Scalar("long long", "signed", 8)
ULLONG = Scalar("unsigned long long", "unsigned", 8)
SIZE_T = Scalar("size_t", "unsigned", 8)
VOID = Scalar("void", "void", 0)


def wide(type: Scalar) -> Scalar:
    """Return the type in which values of this type are computed, and their adjoints summed."""
    return FLOAT if type.is_half else type


# ---- symbols ----------------------------------------------------------------

Storage = Literal["parameter", "local", "shared", "global", "tape"]

Origin = Literal["author", "lowering", "tool"]
"""Who made a variable or an expression: the author, the front end from the author's code, or the tool.

A variable of `lowering` holds a part of one of the author's statements. The tool may move, rename
or remove its own variables, and those that the front end leaves to it.
"""


@dataclass(frozen=True, eq=False)
class Sym:
    """A named variable. Identity is equality: two `x` of two scopes differ.

    `const` is the variable's own (`const float x`); a pointer's target has its own.
    `origin` says who made it; `of` is the author's symbol that it belongs to (`adj_s` to
    `s`), so that both are renamed alike where names collide; `otherwise` are the names that
    it takes then, before it is numbered. A field of a struct is named `v.x`; `within` is the
    author's variable and `path` the names of the fields that lead to it; without a path it
    is all numbers in the variable, in order. `remade`: the tool's, for a value of the author's variable of
    this name. `replayed`: another thread's value of the author's variable.
    """

    name: str
    type: Type
    storage: Storage = "local"
    span: Span | None = None
    const: bool = False
    of: Sym | None = None
    within: Sym | None = None
    path: tuple[str, ...] = ()
    origin: Origin = "tool"
    otherwise: tuple[str, ...] = ()
    remade: bool = False
    replayed: bool = False

    @property
    def ours(self) -> bool:
        """Whether the tool made it."""
        return self.origin == "tool"

    @property
    def variable(self) -> str:
        """The name of the author's variable: `v` of `v.x`."""
        return self.within.name if self.within is not None else self.name

    @property
    def plain(self) -> str:
        """The name as a part of another one: `v_x` of `v.x`."""
        return self.name.replace(".", "_")

    @property
    def then(self) -> str:
        """The name of a value that the variable had in some iteration."""
        return f"{self.name}_then"

    def again(self) -> Sym:
        """Make another variable of the same name, type and origin; for a field, one in no struct."""
        return replace(self, within=None, path=())

    def anew(self) -> Sym:
        """Make the tool's own variable of the same name and type, for another value of this one."""
        remade = self.origin == "author" or self.remade
        longer = (*self.otherwise, self.then)
        return Sym(self.name, self.type, span=self.span, otherwise=longer, remade=remade)

    def __repr__(self) -> str:
        return f"Sym({self.name})"


# ---- expressions ------------------------------------------------------------
#
# `span` is where the author wrote it. `spelling` is how: a literal (`0.25f`), the
# name of an object-like macro (`STEPS`) or of a constant. `macro` names the macro
# whose definition the spelling needs. `origin` says who made it: the author's expressions
# are computed as written. None of these takes part in equality.


class _Tree:
    """Cached properties of an expression: it never changes."""

    @cached_property
    def operands(self) -> tuple[Expr, ...]:
        """The operands, in order."""
        return ()

    @cached_property
    def symbols(self) -> frozenset[Sym]:
        """The variables and arrays in the expression, including those in indices."""
        return _union(part.symbols for part in self.operands)

    @cached_property
    def outputs(self) -> tuple[Place, ...]:
        """The places that a call in the expression writes through: `modff(x, &whole)`."""
        return tuple(place for part in self.operands for place in part.outputs)


def _union(sets: Iterable[frozenset[Sym]]) -> frozenset[Sym]:
    """Return the union; one of the sets itself if it contains the others."""
    whole: frozenset[Sym] = frozenset()
    for part in sets:
        if not part <= whole:
            whole = part if whole <= part else whole | part
    return whole


@dataclass(frozen=True)
class Const(_Tree):
    value: int | float | bool
    type: Scalar
    span: Span | None = field(default=None, compare=False)
    spelling: str | None = field(default=None, compare=False)
    macro: str | None = field(default=None, compare=False)
    origin: Origin = field(default="tool", compare=False)

    @property
    def named(self) -> bool:
        """Whether the author has given it a name, which the output keeps: a macro, a `constexpr`."""
        return self.macro is not None or (self.spelling is not None and bool(_NAME.search(self.spelling)))


_NAME = re.compile(r"(?<![\w.'\"\\])[A-Za-z_]")  # in neither `0x1fu` nor `'a'`


@dataclass(frozen=True)
class Place(_Tree):
    """A variable, or an element of an array or of a pointer's target.

    An operand is read, a target is written. The zone of a place is `sym`: all elements of one
    array are one zone, and so is each field of a struct. After the emitter has reassembled
    fields, `path` names the field.
    """

    sym: Sym
    index: tuple[Expr, ...]
    type: Type
    path: tuple[str, ...] = ()
    span: Span | None = field(default=None, compare=False)
    spelling: str | None = field(default=None, compare=False)
    macro: str | None = field(default=None, compare=False)
    origin: Origin = field(default="tool", compare=False)

    @cached_property
    def operands(self) -> tuple[Expr, ...]:
        return self.index

    @cached_property
    def symbols(self) -> frozenset[Sym]:
        return _union((*(part.symbols for part in self.index), frozenset({self.sym})))


@dataclass(frozen=True)
class Special(_Tree):
    """`threadIdx.x` and similar: constant during a launch, different between threads or not.

    `present` is whether the caller passes an array for the parameter that `axis` names;
    `sharedSize`, the launch's amount of shared memory, occurs only in emitted code.
    """

    name: Literal["threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "present", "sharedSize"]
    axis: str  # "x", "y", "z"; "" for warpSize
    type: Scalar = UINT
    span: Span | None = field(default=None, compare=False)
    spelling: str | None = field(default=None, compare=False)
    macro: str | None = field(default=None, compare=False)
    origin: Origin = field(default="tool", compare=False)


UnaryOp = Literal["-", "+", "!", "~"]


@dataclass(frozen=True)
class Unary(_Tree):
    op: UnaryOp
    arg: Expr
    type: Type
    span: Span | None = field(default=None, compare=False)
    spelling: str | None = field(default=None, compare=False)
    macro: str | None = field(default=None, compare=False)
    origin: Origin = field(default="tool", compare=False)

    @cached_property
    def operands(self) -> tuple[Expr, ...]:
        return (self.arg,)


ARITHMETIC = frozenset({"+", "-", "*", "/"})
COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})
LOGICAL = frozenset({"&&", "||"})
BITWISE = frozenset({"%", "<<", ">>", "&", "|", "^"})


@dataclass(frozen=True)
class Binary(_Tree):
    """`op` is one of ARITHMETIC, COMPARISONS, LOGICAL or BITWISE.

    `exact`: a quotient of integers that leaves no remainder, since the primal is well defined.
    """

    op: str
    left: Expr
    right: Expr
    type: Type
    span: Span | None = field(default=None, compare=False)
    spelling: str | None = field(default=None, compare=False)
    macro: str | None = field(default=None, compare=False)
    exact: bool = field(default=False, compare=False)
    origin: Origin = field(default="tool", compare=False)

    @cached_property
    def operands(self) -> tuple[Expr, ...]:
        return (self.left, self.right)


@dataclass(frozen=True)
class Select(_Tree):
    """`cond ? then : other`; only the chosen operand is evaluated."""

    cond: Expr
    then: Expr
    other: Expr
    type: Type
    span: Span | None = field(default=None, compare=False)
    spelling: str | None = field(default=None, compare=False)
    macro: str | None = field(default=None, compare=False)
    origin: Origin = field(default="tool", compare=False)

    @cached_property
    def operands(self) -> tuple[Expr, ...]:
        return (self.cond, self.then, self.other)


@dataclass(frozen=True)
class Cast(_Tree):
    """A conversion. Implicit ones aren't printed where C++ would make them again."""

    arg: Expr
    type: Type
    implicit: bool = False
    span: Span | None = field(default=None, compare=False)
    spelling: str | None = field(default=None, compare=False)
    macro: str | None = field(default=None, compare=False)
    origin: Origin = field(default="tool", compare=False)

    @cached_property
    def operands(self) -> tuple[Expr, ...]:
        return (self.arg,)


@dataclass(frozen=True)
class Call(_Tree):
    """A call of a math function, an intrinsic, or a `__device__` function.

    `name` is the author's (`sinf`, `sin`, `f`). `rule` is the key in the rule table
    (`sin`), or None for a device function, found in `Program.functions` under `callee`
    (unique also among overloads). A call with output arguments (`AddressOf`) is the whole
    value of a Declare, an Assign or an Evaluate; in a primal its outputs are local
    scalars.
    """

    name: str
    args: tuple[Expr, ...]
    type: Type
    rule: str | None = None
    callee: str | None = None
    span: Span | None = field(default=None, compare=False)
    spelling: str | None = field(default=None, compare=False)
    macro: str | None = field(default=None, compare=False)
    origin: Origin = field(default="tool", compare=False)

    @cached_property
    def operands(self) -> tuple[Expr, ...]:
        return self.args


BLOCK_REDUCTIONS = frozenset({"sum", "maximum", "minimum"})
"""Rules of calls that reduce a value of each thread of the block to one, which each gets."""
COLLECTIVE = frozenset({"shuffle", "vote", *BLOCK_REDUCTIONS})
"""Rules of calls that threads make together. In a primal such a call is a statement's whole value."""


@dataclass(frozen=True)
class AddressOf(_Tree):
    """`&local` as an output argument, `&adj_x[i]` of an atomic."""

    place: Place
    type: Pointer
    span: Span | None = field(default=None, compare=False)
    spelling: str | None = field(default=None, compare=False)
    macro: str | None = field(default=None, compare=False)
    origin: Origin = field(default="tool", compare=False)

    @cached_property
    def operands(self) -> tuple[Expr, ...]:
        return (self.place,)

    @cached_property
    def outputs(self) -> tuple[Place, ...]:
        return (self.place,)


Expr = Const | Place | Special | Unary | Binary | Select | Cast | Call | AddressOf

# ---- statements -------------------------------------------------------------

Body = tuple["Stmt", ...]


@dataclass(frozen=True)
class Share:
    """What a contribution is as a formula of the primal: `adj_operand += partial * adj_of`.

    `rules` are the derivatives of the operations between `of` and `operand`, from the outside in, as
    the table of rules has them: `d sin(u)/du = cos(u)`. If the adjoint of `of` comes through a
    device function or another thread, `through` is the call, and `partial` is that of its argument.
    If `sets`, the adjoint is replaced: the statement overwrites its operand; `copied` says that other
    statements still read it from a copy. `adjoints` are the variables of both adjoints, by which those
    of the tool's variables are named.
    """

    of: Place
    operand: Place
    partial: Expr
    rules: tuple[str, ...] = ()
    through: Call | None = None
    sets: bool = False
    copied: bool = False
    adjoints: tuple[Sym | None, Sym | None] = None, None


@dataclass(frozen=True, eq=False)
class Site:
    """A contribution to an adjoint: the effect of a primal statement on the adjoint of one operand.

    Identity is equality. `stmt` is None for a sum made by a rewriting. `place` is the operand's,
    or the adjoint's own if the statement has no single operand.
    """

    stmt: Stmt | None
    place: Place
    share: Share | None = None


@dataclass(frozen=True)
class Initialiser:
    """A brace list for an array, flattened in order; shorter than the array means zeros."""

    values: tuple[Expr, ...]


@dataclass(frozen=True, eq=False)
class Declare:
    """`T v;`, `T v = e;`, `T v[..] = {..};`. The scope of the variable ends with its body."""

    sym: Sym
    init: Expr | Initialiser | None = None
    span: Span | None = None
    sites: tuple[Site, ...] = ()  # in an adjoint: the contributions in the value
    told: tuple[Site, ...] = ()  # see Accumulate


@dataclass(frozen=True, eq=False)
class Whole:
    """An assignment by the author to a whole struct. Identity is equality."""


@dataclass(frozen=True, eq=False)
class Assign:
    """`target = value`, or `target op= value`; `++v` is `v += 1` with `spelling` "++v".

    For a compound, `value` has the type of the operation, for a shift that of the promoted
    target, and the result converts to the target's type. `value` is evaluated before the
    target's index. `part_of` is the assignment to a whole struct that it is a part of, or the
    variable that is declared with all its fields.
    """

    target: Place
    value: Expr
    op: str | None = None
    span: Span | None = None
    spelling: str | None = None
    sites: tuple[Site, ...] = ()  # in an adjoint: the contributions in the value
    told: tuple[Site, ...] = ()  # see Accumulate
    part_of: Whole | Sym | None = None


@dataclass(frozen=True, eq=False)
class Evaluate:
    """A call whose value is not used: `sincosf(x, &s, &c);`, `atomicAdd(&a[i], v);`."""

    call: Call
    span: Span | None = None


@dataclass(frozen=True, eq=False)
class If:
    cond: Expr
    then: Body
    other: Body = ()
    span: Span | None = None  # of the condition's line: `if (i < n)`


@dataclass(frozen=True, eq=False)
class LoopId:
    """The identity of a loop. Identity is equality.

    `replace` keeps it, and code that replaces a loop by another one passes it on: a rewritten loop is
    still the same loop.
    """


@dataclass(frozen=True, eq=False)
class For:
    """`for (init; cond; step) body`. `init` may declare. No cond: forever.

    In an adjoint, `reverses` is the primal's loop whose iterations it runs in reverse order.
    """

    init: Body
    cond: Expr | None
    step: Body
    body: Body
    span: Span | None = None
    pragmas: tuple[str, ...] = ()  # `#pragma unroll` lines before it, as written
    reverses: Stmt | None = None
    id: LoopId = field(default_factory=LoopId)


@dataclass(frozen=True, eq=False)
class While:
    cond: Expr
    body: Body
    span: Span | None = None
    pragmas: tuple[str, ...] = ()
    id: LoopId = field(default_factory=LoopId)


@dataclass(frozen=True, eq=False)
class DoWhile:
    body: Body
    cond: Expr
    span: Span | None = None
    pragmas: tuple[str, ...] = ()
    id: LoopId = field(default_factory=LoopId)


@dataclass(frozen=True, eq=False)
class Case:
    """The labels before a segment of a switch; `None` among them is `default`."""

    labels: tuple[int | None, ...]
    body: Body
    spelled: tuple[str, ...] = ()  # the labels as written, "default" included
    span: Span | None = None


@dataclass(frozen=True, eq=False)
class Switch:
    """Control enters at the matching label and runs through later segments until a Break."""

    selector: Expr
    cases: tuple[Case, ...]
    span: Span | None = None


@dataclass(frozen=True, eq=False)
class Block:
    """A brace block of the author's, for its scope."""

    body: Body
    span: Span | None = None


@dataclass(frozen=True, eq=False)
class Break:
    span: Span | None = None


@dataclass(frozen=True, eq=False)
class Continue:
    span: Span | None = None


@dataclass(frozen=True, eq=False)
class Return:
    value: Expr | None = None
    span: Span | None = None


@dataclass(frozen=True, eq=False)
class Barrier:
    """`__syncthreads()`: all threads of the block wait for each other, and see what the others stored.

    With `warp`, `__syncwarp()`: the lanes in the mask meet, all of them without one.
    """

    warp: bool = False
    mask: Expr | None = None
    span: Span | None = None


# Statements that only an adjoint has. The templates print each in its own way.


@dataclass(frozen=True, eq=False)
class Record:
    """Write a value to the tape: `tape_s[k] = s;`, or `float tape_s = s;` if `declares`."""

    tape: Place
    value: Expr
    declares: bool = False


@dataclass(frozen=True, eq=False)
class Restore:
    """Read a value back: `s = tape_s[k];`, or `float s = tape_s[k];` if `declares`."""

    target: Place
    tape: Expr
    declares: bool = False


How = Literal[
    "local",  # to a variable of the thread's own
    "owner",  # one thread adds to an element
    "phase",  # one thread between two barriers
    "gathered",  # the owner of an element collects what others would add
    "rims",  # one thread, but at the edges of blocks
    "columns",  # summed along a block or its column by one thread, then one atomic addition
    "reduce",  # summed over the block, then one atomic addition
    "warp",  # summed over each warp, then one atomic addition
    "total",  # summed over the block, and every thread gets the sum
    "exchange",  # one thread takes the adjoint, and leaves zero
    "atomic",
    "none",  # the adjoint is zero
]
"""How contributions to an adjoint are added up: in verdicts, in the plan, and in what is built."""

REDUCTIONS: tuple[How, ...] = ("reduce", "warp")
"""Additions of a sum over threads, which one thread of a block or of each warp makes."""

ATOMICS: tuple[How, ...] = ("atomic", *REDUCTIONS)
"""Additions that end in an atomicAdd."""

ADDITIONS = frozenset[How](("local", "owner", "phase", *ATOMICS))
"""What an `Accumulate` may be; everything else is made of these."""


@dataclass(frozen=True)
class Exists:
    """When an element exists: `always`, or in the launches and blocks for which all of `when` hold.

    These are conditions on what the launch receives. Where they don't hold, no thread adds to the element.
    """

    when: tuple[Expr, ...]
    always: bool


@dataclass(frozen=True, eq=False)
class Accumulate:
    """`adj_v += amount` or, if `negative`, `-=`; `atomicAdd(&adj_v, amount)` if atomic.

    If `reduce`, the block adds up all threads' amounts, and one of them adds the sum atomically. The
    amount may then be an array of the thread's own: of its sums, one for `target` and each element after.
    If `warp`, each warp does so.

    `why` is the reason for `how`. `sites` are the contributions in the amount: one, or several
    that were merged. `told` are others that explain the value, and that the audit doesn't follow:
    those of a variable that was inlined here. `exists`: when the element of a sum over threads exists,
    if that is known: a thread that adds nothing may have an index out of range.
    """

    target: Place
    amount: Expr
    how: How
    negative: bool = False
    why: str = ""
    sites: tuple[Site, ...] = ()
    told: tuple[Site, ...] = ()
    exists: Exists | None = None


@dataclass(frozen=True, eq=False)
class Clear:
    """`adj_v = 0.0f` after v was overwritten."""

    target: Place
    sites: tuple[Site, ...] = ()
    told: tuple[Site, ...] = ()


@dataclass(frozen=True, eq=False)
class Quote:
    """The primal line(s) whose adjoint the following statements are, in a comment."""

    primal: Stmt
    note: str = ""  # a second comment line, if needed
    merged: bool = False  # its statements are part of those of a later quote


@dataclass(frozen=True, eq=False)
class Banner:
    """A comment line between sweeps: `// ---- reverse sweep: … ----`; a blank one without a `rule`."""

    text: str
    rule: bool = True


@dataclass(frozen=True, eq=False)
class Comment:
    """A comment on the statement after it."""

    text: str


Stmt = (
    Declare
    | Assign
    | Evaluate
    | If
    | For
    | While
    | DoWhile
    | Switch
    | Block
    | Break
    | Continue
    | Return
    | Barrier
    | Record
    | Restore
    | Accumulate
    | Clear
    | Quote
    | Banner
    | Comment
)

# ---- functions and files ----------------------------------------------------


@dataclass(frozen=True, eq=False)
class Parameter:
    sym: Sym
    span: Span | None = None


@dataclass(frozen=True, eq=False)
class Function:
    """A kernel or a `__device__` function.

    `attributes` are the words before the name as written (`extern "C"`,
    `__global__`, `__launch_bounds__(256)`), without the return type. `requires` are comparisons of integers
    that the user declares to hold in every launch.
    """

    name: str
    params: tuple[Parameter, ...]
    result: Type
    body: Body
    is_kernel: bool
    attributes: tuple[str, ...] = ()
    span: Span | None = None  # of the name
    requires: tuple[Binary, ...] = ()

    @property
    def syms(self) -> tuple[Sym, ...]:
        return tuple(p.sym for p in self.params)


@dataclass(frozen=True, eq=False)
class Constant:
    """A file-scope constant emitted with the adjoint: its symbol and its text."""

    sym: Sym
    text: str
    init: Expr | Initialiser | None = None


@dataclass(frozen=True, eq=False)
class Macro:
    """An object-like macro that emitted code may name: `#define STEPS 8`."""

    name: str
    text: str  # the whole directive
    needs: tuple[str, ...] = ()  # other macros in its body


@dataclass(frozen=True)
class TemplateArgument:
    """The value of a parameter of the kernel's template, and its origin ("its default", "" if there is none).

    `choices` are the types for which a dispatch macro of the host launches the kernel; `is_free`: others
    are as good, since nothing says that it is this one alone.
    """

    name: str
    text: str
    origin: str
    choices: tuple[str, ...] = ()
    is_free: bool = False

    @property
    def why(self) -> str:
        """Return where it is from, for a note."""
        if not self.origin:
            return f"nothing in the file says what {self.name} is"
        others = ", ".join(type for type in self.choices if type != self.text)
        return f"{self.name} from {self.origin}" + (f", which also has {others}" if others else "")


@dataclass(frozen=True)
class Row:
    """A pointer variable of the author's into an array: `const float *row = x + r * n;`.

    The front end puts `x[r * n + c]` for `row[c]`; emission declares the pointer again.
    """

    name: str
    array: Sym
    offset: Expr
    span: Span | None = None


@dataclass(frozen=True, eq=False)
class Program:
    """One kernel and its closure: the input of differentiation.

    `functions` are the device functions that it reaches, callees first, keyed by
    the unique name that `Call.callee` has. `pragma` is the content of `#pragma s2sad adjoint`
    or of the `// s2sad:` comment before the kernel, if any.
    """

    kernel: Function
    functions: dict[str, Function]
    constants: tuple[Constant, ...] = ()
    macros: dict[str, Macro] = field(default_factory=dict)
    typedefs: tuple[str, ...] = ()  # texts that are emitted with the file
    pragma: dict[str, tuple[str, ...]] = field(default_factory=dict)
    choices: tuple[str, ...] = ()  # the choices of `#if` lines inside the closure, in words
    template: tuple[TemplateArgument, ...] = ()  # the values of the kernel's template parameters
    remarks: tuple[Diagnostic, ...] = ()  # notes for the author on how it was read
    one_dimensional: bool = False  # it counts threads as in a one-dimensional launch
    variables: tuple[Sym, ...] = ()  # of the file, passed as the kernel's last parameters
    instances: dict[str, str] = field(
        default_factory=dict
    )  # the template instance that each is: `taps<float>`
    lone: frozenset[str] = frozenset()  # those that are one number or struct, not an array
    carried: bool = False  # whether words of other types carry its numbers
    begun: frozenset[str] = frozenset()  # arrays in the launch's memory that begin at a pointer
    rows: tuple[Row, ...] = ()  # the author's pointers into arrays
    adjoint: bool = False  # whether it is an adjoint that s2sad wrote, read to be differentiated once more
    vectors: tuple[Struct, ...] = ()  # computed with as wholes, by operators or functions
    multiplied: frozenset[Struct] = frozenset()  # those that a `*` multiplies component by component


# ---- walking ----------------------------------------------------------------


def children(expr: Expr) -> tuple[Expr, ...]:
    """Return the operands of an expression, in order."""
    return expr.operands


def walk(expr: Expr) -> Iterator[Expr]:
    """Yield the expression and everything in it, operands after their operator."""
    waiting = [expr]
    while waiting:
        part = waiting.pop()
        yield part
        if inner := part.operands:
            waiting += inner[::-1]


def scalar_type(of: Expr | Sym) -> Scalar:
    """Return the type of an expression known to be a number."""
    assert isinstance(of.type, Scalar)
    return of.type


def is_integer(expr: Expr) -> bool:
    return isinstance(expr.type, Scalar) and expr.type.is_integer


def is_floating(expr: Expr) -> bool:
    return isinstance(expr.type, Scalar) and expr.type.is_float


def collective(stmt: Stmt) -> Call | None:
    """Return the collective call of a statement, if it makes one: its whole value."""
    match stmt:
        case Declare(_, Call() as call) | Assign(_, Call() as call) | Evaluate(call):
            return call if call.rule in COLLECTIVE else None
        case _:
            return None


def asked(cond: Expr) -> Iterator[Expr]:
    """Yield the operands of a condition's logical operators."""
    match cond:
        case Binary("&&" | "||", left, right):
            yield from asked(left)
            yield from asked(right)
        case Unary("!", arg):
            yield from asked(arg)
        case _:
            yield cond


def unconverted(expr: Expr) -> Expr:
    """Strip an implicit conversion."""
    return expr.arg if isinstance(expr, Cast) and expr.implicit else expr


def expressions(stmt: Stmt) -> tuple[Expr, ...]:
    """Return the statement's own expressions, targets first."""
    match stmt:
        case Declare(_, init):
            if isinstance(init, Initialiser):
                return init.values
            return () if init is None else (init,)
        case Assign(target, value):
            return (target, value)
        case Evaluate(call):
            return (call,)
        case If(cond) | While(cond) | DoWhile(_, cond):
            return (cond,)
        case For(_, cond):
            return () if cond is None else (cond,)
        case Switch(selector):
            return (selector,)
        case Return(value) | Barrier(_, value):
            return () if value is None else (value,)
        case Record(tape, value):
            return (tape, value)
        case Restore(target, source):
            return (target, source)
        case Accumulate(target, amount):
            return (target, amount)
        case Clear(target):
            return (target,)
        case Block() | Break() | Continue() | Quote() | Banner() | Comment():
            return ()
        case _:
            assert_never(stmt)


def all_parts(*stmts: Stmt) -> Iterator[Expr]:
    """Yield every expression in statements, nested ones included, with all its parts."""
    for stmt in statements(stmts):
        for whole in expressions(stmt):
            yield from walk(whole)


_COMMON = frozenset({Declare, Assign, Accumulate, Clear, Quote, Record, Restore})


def bodies(stmt: Stmt) -> tuple[Body, ...]:
    """Return the bodies inside a statement, in order, including a loop's init and step."""
    if type(stmt) in _COMMON:
        return ()  # as the last cases say, which are reached after many others
    match stmt:
        case If():
            return (stmt.then, stmt.other)
        case For():
            return (stmt.init, stmt.step, stmt.body)
        case While() | DoWhile() | Block():
            return (stmt.body,)
        case Switch():
            return tuple(case.body for case in stmt.cases)
        case Declare() | Assign() | Evaluate() | Break() | Continue() | Return() | Barrier():
            return ()
        case Record() | Restore() | Accumulate() | Clear() | Quote() | Banner() | Comment():
            return ()
        case _:
            assert_never(stmt)


def rebuilt(stmt: Stmt, change: Callable[[Body], Body]) -> Stmt:
    """Return the statement with each body inside it changed; a loop's init and step stay.

    If nothing changes, the same statement is returned, so that cached facts remain valid.
    """
    match stmt:
        case If():
            then, other = change(stmt.then), change(stmt.other)
            if then == stmt.then and other == stmt.other:
                return stmt
            return replace(stmt, then=then, other=other)
        case For() | While() | DoWhile() | Block():
            body = change(stmt.body)
            return stmt if body == stmt.body else replace(stmt, body=body)
        case Switch():
            bodies = [change(c.body) for c in stmt.cases]
            if bodies == [c.body for c in stmt.cases]:
                return stmt
            cases = tuple(replace(c, body=b) for c, b in zip(stmt.cases, bodies, strict=True))
            return replace(stmt, cases=cases)
        case Declare() | Assign() | Evaluate() | Break() | Continue() | Return() | Barrier():
            return stmt
        case Record() | Restore() | Accumulate() | Clear() | Quote() | Banner() | Comment():
            return stmt
        case _:
            assert_never(stmt)


def substituted(body: Body, change: Callable[[Stmt], Sequence[Stmt] | None]) -> Body:
    """Replace statements in nested bodies by the results of `change`; None keeps a statement."""
    out: list[Stmt] = []
    for stmt in body:
        new = change(stmt)
        out += (rebuilt(stmt, lambda b: substituted(b, change)),) if new is None else new
    return tuple(out)


def without(body: Body, gone: Container[Stmt]) -> Body:
    """Remove statements from a body and those inside it."""
    return substituted(body, lambda stmt: () if stmt in gone else None)


def holding(stmt: Stmt, *new: Sequence[Stmt]) -> Stmt:
    """Return the statement with other bodies; the same one if the bodies don't change."""
    following = iter(new)
    return rebuilt(stmt, lambda _: tuple(next(following)))


def statements(body: Body) -> Iterator[Stmt]:
    """Yield every statement of a body, nested ones after their parent."""
    waiting = [iter(body)]  # a stack: generators in each other hand every statement through all of them
    while waiting:
        for stmt in waiting[-1]:
            yield stmt
            if inside := bodies(stmt):
                waiting.extend(map(iter, reversed(inside)))
                break
        else:
            waiting.pop()


Asked = TypeVar("Asked", bound="Stmt | Function")
Answer = TypeVar("Answer")


def remembered(question: Callable[[Asked], Answer]) -> Callable[[Asked], Answer]:
    """Keep the answers to a question about statements, which never change, on the statements."""
    name = f"{question.__module__}.{question.__qualname__}"

    def answer(of: Asked) -> Answer:
        facts: dict[str, Answer] = of.__dict__  # `replace` makes a statement without them
        if name not in facts:
            facts[name] = question(of)
        return facts[name]

    return answer


@remembered
def calls(stmt: Stmt) -> tuple[Call, ...]:
    """Return the calls in a statement's own expressions."""
    return tuple(e for whole in expressions(stmt) for e in walk(whole) if isinstance(e, Call))


_BODIES = 64  # whose facts are kept at a time


def once(question: Callable[[Body], Answer]) -> Callable[[Body], Answer]:
    """Keep the answers to a question about whole bodies, for those asked about last."""
    known: dict[
        int, tuple[Body, Answer]
    ] = {}  # by identity: comparing two bodies takes as long as many answers

    def answer(of: Body) -> Answer:
        found = known.get(id(of))
        if found is None:
            found = of, question(of)
            while len(known) >= _BODIES:
                del known[next(iter(known))]
            known[id(of)] = found  # which keeps the body, so that no other one gets its address
        return found[1]

    return answer
