"""Expressions, types and declarators as C.

Printed text means what the tree means: parentheses where precedence or the
order of floating-point evaluation requires them, casts where C++ would convert
otherwise. Beyond that it keeps the author's literals, macro names and function
names. Templates spell statements; this module supplies the pieces.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, assert_never

from ..decimals import decimal, single
from ..fields import maker
from ..ir import (
    COMPARISONS,
    FLOAT,
    AddressOf,
    Array,
    Assign,
    Binary,
    Body,
    Call,
    Case,
    Cast,
    Const,
    Declare,
    Evaluate,
    Expr,
    Initialiser,
    Place,
    Pointer,
    Scalar,
    Select,
    Special,
    Struct,
    Sym,
    Type,
    Unary,
    walk,
)
from ..transform.common.wide_integers import exact, same
from .conversions import alone, bare, exactly, is_signed_sum, of_half, pair, to, usual
from .halves import spelled
from .words import SUM, named

# ---- precedence -------------------------------------------------------------

PRIMARY: Final = 16
UNARY: Final = 15
CONDITIONAL: Final = 3
ANY: Final = 0
LEVEL: Final = {
    "*": 14, "/": 14, "%": 14, "+": 13, "-": 13, "<<": 12, ">>": 12, "<": 11, "<=": 11, ">": 11, ">=": 11,
    "==": 10, "!=": 10, "&": 9, "^": 8, "|": 7, "&&": 6, "||": 5,
}  # fmt: skip

_BITS = frozenset({"<<", ">>", "&", "^", "|"})
_ATOM = re.compile(r"\w+|(\d|\.\d)([\w.]|[eEpP][+-])*|'.*'|[A-Za-z_]\w*(\.\w+)+")
_OVERLOADED = frozenset({"erf", "modf", "normcdf"})  # though the names end like those of single precision


def _parenthesised(child: str, parent: str, right: bool) -> bool:
    """Whether `child` as an operand of `parent` needs parentheses, for the compiler or the reader."""
    inner, outer = LEVEL[child], LEVEL[parent]
    if inner < outer or (right and inner == outer):
        return True
    if parent in _BITS and child != parent:
        return True  # nobody remembers `a & b << c`
    return (parent == "||" and child == "&&") or (10 <= outer <= 11 and inner <= 11)


def _closed(text: str) -> bool:
    """Whether the text is one pair of parentheses, or one call."""
    opening = re.match(r"\w*\(", text)
    if opening is None:
        return False
    depth = 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0 and i >= opening.end() - 1:
            return i == len(text) - 1
    return False


# ---- literals ---------------------------------------------------------------


def ends_function(line: str) -> bool:
    """Whether a line of the author's closes a brace at the outermost level."""
    return line.startswith("}")


_SUFFIX = {"int": "", "unsigned int": "u", "long": "L", "unsigned long": "ul", "long long": "LL",
           "unsigned long long": "ull"}  # fmt: skip


def literal(value: int | float | bool, t: Scalar) -> tuple[str, int]:
    """Print a constant without a spelling; return the text and its precedence."""
    if t.kind == "bool":
        return ("true" if value else "false"), PRIMARY
    if t.is_float:
        return _floating(float(value), t)
    number = int(value)
    suffix = _SUFFIX.get(t.name)
    if suffix is None:
        return f"({t.name}){number}" if number >= 0 else f"({t.name})({number})", UNARY
    if number < 0 and number == -(2 ** (8 * t.size - 1)):
        # The literal without its sign wouldn't fit.
        return f"{number + 1}{suffix} - 1", LEVEL["-"]
    return f"{number}{suffix}", PRIMARY if number >= 0 else UNARY


def zero(t: Type) -> str:
    """Print the zero that is assigned to a value of the type."""
    if isinstance(t, Struct):
        zeros = ", ".join(zero(field.type) for field in t.fields)
        return f"{maker(t)}({zeros})" if t.built_in else f"{{{zeros}}}"
    return literal(0.0 if isinstance(t, Scalar) and t.is_float else 0, t)[0] if isinstance(t, Scalar) else "0"


def _floating(value: float, t: Scalar) -> tuple[str, int]:
    if t.is_half:
        return f"{CONVERSIONS[FLOAT.name, t.name]}({_floating(value, FLOAT)[0]})", PRIMARY
    suffix = "f" if t.size == 4 else ""
    if t.size == 4 and math.isfinite(value):
        value = single(value)
    if not math.isfinite(value):
        # NVRTC knows neither INFINITY nor NAN; and nvcc evaluates 0.0f / 0.0f at run time.
        if math.isnan(value):
            return f'nan{suffix}("")', PRIMARY
        return f"{'-' if value < 0 else ''}1.0{suffix} / 0.0{suffix}", LEVEL["/"]
    return decimal(value, t.size) + suffix, UNARY if math.copysign(1, value) < 0 else PRIMARY


CONVERSIONS: Final = {
    ("float", "__half"): "__float2half", ("double", "__half"): "__double2half",
    ("__half", "float"): "__half2float", ("float", "__nv_bfloat16"): "__float2bfloat16",
    ("double", "__nv_bfloat16"): "__double2bfloat16", ("__nv_bfloat16", "float"): "__bfloat162float",
}  # fmt: skip
"""CUDA's functions that convert from and to half precision."""

# ---- types and declarators --------------------------------------------------


def typename(t: Type) -> str:
    """Return the type as in a cast: `float *`, `unsigned long long`."""
    return declarator(t, "").strip()


def declarator(t: Type, name: str, const: bool = False) -> str:
    """Declare `name`, without storage and initialiser; `const` is the variable's own."""
    text = name
    while True:
        match t:
            case Pointer():
                marks = "*" + "".join((" const" if const else "", " __restrict__" if t.restrict else ""))
                marks = marks.replace("* ", "*")
                text = marks + (" " if text and marks != "*" else "") + text
                if isinstance(t.target, Array):
                    text = f"({text})"
                const, t = t.const, t.target
            case Array():
                spelled = t.spelled if len(t.spelled) == len(t.extents) else tuple(map(str, t.extents))
                text += "[]" if t.open else "" if t.single else "".join(f"[{extent}]" for extent in spelled)
                t = t.element
            case Scalar() | Struct():
                word = t.name if isinstance(t, Struct) else t.spelled
                if isinstance(t, Struct):
                    spelled = t.spelled if len(t.spelled) == len(t.extents) else tuple(map(str, t.extents))
                    text += "".join(f"[{extent}]" for extent in spelled)
                return f"{'const ' if const else ''}{word}{' ' if text else ''}{text}"
            case _:
                assert_never(t)


# ---- expressions ------------------------------------------------------------


def points_to_one(place: Place) -> bool:
    """Whether a place is the single value behind a reference or a pointer of the tool's: `*adj_a`."""
    match place:
        case Place(Sym(type=Pointer(reference=True)), (Const(0, spelling=None),), path=()):
            return True
        case Place(Sym(origin="tool", type=Pointer()), (Const(0, spelling=None, origin="tool"),), path=()):
            return True
        case _:
            return False


@dataclass(frozen=True)
class Printer:
    """Prints expressions with the given names for symbols, else the symbols' own.

    `overloaded` are device functions that share their name: their arguments keep
    every cast, because a type chooses the function.
    """

    names: Mapping[Sym, str] = field(default_factory=dict)
    overloaded: frozenset[str] = frozenset()
    parameters: frozenset[str] = frozenset()  # names that hide names of the file everywhere

    def name(self, sym: Sym) -> str:
        return self.names.get(sym, sym.name)

    def expr(self, expr: Expr, level: int = ANY) -> str:
        """Return the text, in parentheses if it binds less tightly than `level`."""
        text, own = self._text(expr)
        return text if own >= level else f"({text})"

    def converted(self, expr: Expr, target: Type, level: int = ANY) -> str:
        """Return the text where the context converts to `target`: an initialiser, an assignment."""
        return self.expr(to(expr, target), level)

    def condition(self, expr: Expr, level: int = ANY) -> str:
        """Return the text where the context converts to the expression's own type: `if (…)`, `return …`."""
        return self.expr(to(expr, expr.type), level)

    def negative(self, expr: Expr) -> str:
        """Negate a value; a product gets the sign at its first factor, which changes no bit."""
        first: Expr = expr
        while isinstance(first, Binary) and first.op in "*/" and first.spelling is None:
            first = pair(first.left, first.right)[0]
        text, level = self._text(expr)
        if self._text(first)[1] >= UNARY and not text.startswith(("-", "+")) and level >= LEVEL["*"]:
            return f"-{text}"
        return f"-({text})"

    def _spelled(self, expr: Expr) -> tuple[str, int] | None:
        """Return the author's spelling, unless a name in it now means something else."""
        text = expr.spelling
        if text is None:
            return None
        if any(isinstance(e, Place) and self.name(e.sym) != e.sym.name for e in walk(expr)):
            return None
        if isinstance(expr, Const) and not self.parameters.isdisjoint(named(text)):
            return None
        if _ATOM.fullmatch(text) or _closed(text):
            return text, PRIMARY
        if text[0] in "-+!~*&" and _ATOM.fullmatch(text[1:].strip()):
            return text, UNARY
        return f"({text})", PRIMARY

    def _text(self, expr: Expr) -> tuple[str, int]:
        spelled = self._spelled(expr)
        if spelled is not None:
            return spelled
        match expr:
            case Const():
                return literal(expr.value, expr.type)
            case Place():
                return self.place(expr), UNARY if points_to_one(expr) else PRIMARY
            case Special():
                if expr.name == "present":
                    return f"{expr.axis} != nullptr", LEVEL["!="]
                return f"{expr.name}.{expr.axis}" if expr.axis else expr.name, PRIMARY
            case Unary("!", Special("present", name)):
                return f"{name} == nullptr", LEVEL["=="]
            case Unary():
                return self._unary(expr), UNARY
            case Binary():
                return self._chain(expr), LEVEL[expr.op]
            case Select():
                then, other = pair(expr.then, expr.other)
                cond = self.condition(expr.cond, CONDITIONAL + 1)
                # `a ? b ? c : d : e` needs no parentheses, but a reader does.
                yes, no = self.expr(then, CONDITIONAL + 1), self.expr(other, CONDITIONAL)
                return f"{cond} ? {yes} : {no}", CONDITIONAL
            case Cast() if of_half(expr):
                return self._of_half(expr), PRIMARY
            case Cast():
                arg = to(expr.arg, expr.type)
                return f"({typename(expr.type)}){self.expr(arg, UNARY)}", UNARY
            case Call():
                return self.call(expr), PRIMARY
            case AddressOf(place, Pointer(Scalar() as of)) if of.is_integer and not same(of, place.type):
                own = replace(expr, type=Pointer(place.type))
                return f"({typename(of)} *){self.expr(own, UNARY)}", UNARY
            case AddressOf(place) if points_to_one(place):
                return self.name(place.sym), PRIMARY
            case AddressOf():
                return f"&{self.expr(expr.place, UNARY)}", UNARY
            case _:
                assert_never(expr)

    def _of_half(self, cast: Cast) -> str:
        """Print a conversion from or to half precision, through float where CUDA has no other."""
        assert isinstance(cast.type, Scalar)
        assert isinstance(cast.arg.type, Scalar)
        call = spelled(cast)
        if call is not None:
            return self.call(call)
        name = CONVERSIONS.get((cast.arg.type.name, cast.type.name))
        if name is not None:
            return f"{name}({self.condition(cast.arg)})"
        return self.expr(Cast(Cast(cast.arg, FLOAT), cast.type), ANY)

    def place(self, place: Place) -> str:
        """Print a variable or an element, as target or operand."""
        if points_to_one(place):
            return f"*{self.name(place.sym)}"
        if place.path:
            return self._field(place)
        single = isinstance(place.sym.type, Array) and place.sym.type.single
        index = "" if single else "".join(f"[{self._index(i)}]" for i in place.index)
        return self.name(place.sym) + index

    def _field(self, place: Place) -> str:
        """Print a field, with each index after the array it indexes: `body[i].at.x`, `adj_p->w[k]`."""
        text, joint, index = self.name(place.sym), ".", list(place.index)
        type = place.sym.type
        if isinstance(type, Pointer):
            first = index.pop(0)
            type = type.target
            if isinstance(first, Const) and first.value == 0:
                joint = "->"
            else:
                text += f"[{self._index(first)}]"
        for name in (None, *place.path):
            if name is not None:
                assert isinstance(type, Struct)
                text, joint = f"{text}{joint}{name}", "."
                field = next(f for f in type.fields if f.name == name)
                type = field.type
                if field.written and isinstance(type, Pointer) and isinstance(type.target, Scalar):
                    text = f"(({type.target.name} *){text})"  # an adjoint is added to
            count = len(type.extents) if isinstance(type, Struct | Array) else int(isinstance(type, Pointer))
            text += "".join(f"[{self._index(i)}]" for i in index[:count])
            index = index[count:]
        return text

    def _index(self, index: Expr) -> str:
        return self.expr(next(form for form, t in bare(index) if exact(t, index.type)))

    def _unary(self, expr: Unary) -> str:
        arg = to(expr.arg, expr.arg.type) if expr.op == "!" else alone(expr.arg)
        text = self.expr(arg, UNARY)
        # `--x` would be another operator.
        return f"{expr.op}({text})" if text.startswith(expr.op) and expr.op in "-+" else expr.op + text

    def operands(self, expr: Binary) -> tuple[Expr, Expr]:
        """Return the operands in the form in which they are printed."""
        if expr.op in ("&&", "||"):
            return to(expr.left, expr.left.type), to(expr.right, expr.right.type)
        if expr.op in ("<<", ">>"):
            return alone(expr.left), alone(expr.right)
        return pair(expr.left, expr.right)

    def _chain(self, expr: Binary) -> str:
        # Descend the left spine in a loop: `a + b + … ` of a thousand terms is a deep tree.
        tail: list[str] = []
        while True:
            left, right = self.operands(expr)
            tail.append(f" {expr.op} {self._operand(right, expr.op, right=True)}")
            if (
                isinstance(left, Binary)
                and left.spelling is None
                and not _parenthesised(left.op, expr.op, right=False)
            ):
                expr = left
                continue
            tail.append(self._operand(left, expr.op, right=False))
            return "".join(reversed(tail))

    def _operand(self, expr: Expr, parent: str, right: bool) -> str:
        if isinstance(expr, Binary) and self._spelled(expr) is None:
            text = self._chain(expr)
            return f"({text})" if _parenthesised(expr.op, parent, right) else text
        named = parent in COMPARISONS and isinstance(expr, Const) and self._spelled(expr) is not None
        if named and SUM.fullmatch(expr.spelling or ""):
            return expr.spelling or ""  # `q < TILE + 2`
        return self.expr(expr, LEVEL[parent] + right)

    def call(self, call: Call) -> str:
        """Print a call; arguments keep the casts that choose among overloads."""
        if call.name.startswith("atomic") and call.callee is None:
            fixed = True  # the address selects the overload
        elif call.callee is not None:
            fixed = call.name not in self.overloaded
        elif isinstance(call.type, Struct):
            fixed = True
        elif call.rule is not None:
            fixed = call.name.startswith("__") or (call.name.endswith("f") and call.name not in _OVERLOADED)
        else:
            fixed = False
        args = (self.converted(a, a.type) if fixed else self.expr(exactly(a)) for a in call.args)
        return f"{call.name}({', '.join(args)})"

    # ---- pieces of statements ------------------------------------------------

    def declared(self, sym: Sym) -> str:
        """Declare a symbol: `const float *__restrict__ x`, `__shared__ float tile[BLOCK + 2]`."""
        shared = ""
        if sym.storage == "shared" and isinstance(sym.type, Array | Struct):
            dynamic = isinstance(sym.type, Array) and sym.type.open
            shared = "extern __shared__ " if dynamic else "__shared__ "
        type = sym.type
        if isinstance(type, Array) and not self.parameters.isdisjoint(
            name for said in type.spelled for name in named(said)
        ):
            type = replace(type, spelled=())
        return shared + declarator(type, self.name(sym), sym.const)

    def initialiser(self, init: Expr | Initialiser, sym: Sym) -> str:
        """Print the right side of `=` in a declaration."""
        match init:
            case AddressOf(Place(of, (at,), path=())) if isinstance(sym.type, Pointer) and is_signed_sum(at):
                return f"{self.name(of)} + {self.expr(at, LEVEL['+'])}"
            case Initialiser():
                pass
            case _:
                return self.converted(init, sym.type)
        if isinstance(sym.type, Struct):
            return f"{{{', '.join(self._listed(value, value.type) for value in init.values)}}}"
        element = sym.type.element if isinstance(sym.type, Array) else sym.type
        return f"{{{', '.join(self._listed(value, element) for value in init.values)}}}"

    def _listed(self, value: Expr, element: Type) -> str:
        # Narrowing in a brace list is an error unless the value is constant or has a cast.
        if isinstance(value, Cast) and not isinstance(bare(value)[0][0], Const):
            return self.expr(next(form for form, t in bare(value) if exact(t, element)))
        return self.converted(value, element)

    def assignment(self, stmt: Assign) -> tuple[str, str, str]:
        """Return target, operator and value of an assignment."""
        target = self.expr(stmt.target, UNARY)
        if stmt.op is None:
            return target, "=", self.converted(stmt.value, stmt.target.type)
        op = stmt.op.removesuffix("=")
        if op in ("<<", ">>"):
            return target, op + "=", self.expr(alone(stmt.value))
        forms = bare(stmt.value)
        fitting = (r for r, t in forms if same(usual(stmt.target.type, t) or t, stmt.value.type))
        return target, op + "=", self.expr(next(fitting, forms[-1][0]))

    def step(self, stmt: Assign) -> str | None:
        """Return `++k`, `k--` where the statement is spelled so; else None."""
        spelling = stmt.spelling or ""
        for sign in ("++", "--"):
            if spelling.startswith(sign):
                return sign + self.expr(stmt.target, UNARY)
            if spelling.endswith(sign):
                return self.expr(stmt.target, PRIMARY) + sign  # (*k)++
        return None

    def clause(self, body: Body) -> str:
        """Print statements as a clause of `for (…; …; …)`."""
        texts: list[str] = []
        for stmt in body:
            match stmt:
                case Declare():
                    text = self.declared(stmt.sym)
                    if texts:  # `int i = 0, j = n`
                        text = text.removeprefix(base(stmt.sym)).strip()
                    if stmt.init is not None:
                        text += f" = {self.initialiser(stmt.init, stmt.sym)}"
                case Assign():
                    text = self.step(stmt) or " ".join(self.assignment(stmt))
                case Evaluate():
                    text = self.call(stmt.call)
                case _:
                    raise ValueError(f"a {type(stmt).__name__} isn't allowed in the head of a loop")
            texts.append(text)
        return ", ".join(texts)

    def label(self, case: Case) -> list[str]:
        """Return `case 3`, `default`, as the author spelled them."""
        spelled = case.spelled if len(case.spelled) == len(case.labels) else [None] * len(case.labels)
        return [
            "default" if value is None else f"case {text or value}"
            for value, text in zip(case.labels, spelled, strict=True)
        ]


def base(sym: Sym) -> str:
    """Return the part of a declaration that others on its line share: `const float`."""
    t = sym.type
    const = sym.const
    while isinstance(t, Pointer):
        const, t = t.const, t.target
    if isinstance(t, Array):
        t = t.element
    return f"{'__shared__ ' if sym.storage == 'shared' else ''}{'const ' if const else ''}{t.spelled}"
