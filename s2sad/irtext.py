"""IR as stable text, for tests and dumps; ircheck.py checks the guarantees of ir.py.

The text is C with three additions: `<float>x` is an implicit conversion of C++,
`#pragma` lines precede their loop, and a statement that only an adjoint has is
written as a word: `record`, `restore`, `accumulate`, `clear`.
"""

from __future__ import annotations

import math
from typing import assert_never

from . import ir
from .ir import Body, Expr, Function, Initialiser, Place, Stmt, Type
from .source import Span

_LEVEL = {
    "||": 1,
    "&&": 2,
    "|": 3,
    "^": 4,
    "&": 5,
    "==": 6,
    "!=": 6,
    "<": 7,
    "<=": 7,
    ">": 7,
    ">=": 7,
    "<<": 8,
    ">>": 8,
    "+": 9,
    "-": 9,
    "*": 10,
    "/": 10,
    "%": 10,
}
_SELECT, _UNARY, _PRIMARY = 0, 11, 12


def show(what: Function | Body | Stmt | Expr) -> str:
    """Return the text of a function, of statements, or of an expression."""
    if isinstance(what, Function):
        return _function(what)
    if isinstance(what, tuple):
        return "\n".join(_lines(what, 0))
    if isinstance(what, Expr):
        return _expr(what, 0)
    return "\n".join(_stmt(what, 0))


_BRIEF = 120


def brief(what: Stmt | Expr) -> str:
    """Return the beginning of the text, for the message of a failed check, and its place in the file."""
    first, *more = show(what).split("\n")
    if more or len(first) > _BRIEF:
        first = f"{first[:_BRIEF]} …"
    span: Span | None = getattr(what, "span", None)
    return f"{first} ({span.source.name}:{span.line})" if span is not None else first


# ---- expressions ------------------------------------------------------------


def _expr(expr: Expr, level: int) -> str:
    """Return the text of an expression, in parentheses if it binds less tightly than `level`."""
    text, own = _spelled(expr)
    return f"({text})" if own < level else text


def _spelled(expr: Expr) -> tuple[str, int]:
    if expr.spelling is not None and not isinstance(expr, ir.Cast):
        return expr.spelling, _PRIMARY
    match expr:
        case ir.Const():
            return _number(expr), _PRIMARY
        case Place():
            return _place(expr), _PRIMARY
        case ir.Special():
            if expr.name == "present":
                return f"{expr.axis} != nullptr", _UNARY
            return (f"{expr.name}.{expr.axis}" if expr.axis else expr.name), _PRIMARY
        case ir.Unary():
            return f"{expr.op}{_operand(expr.op, expr.arg)}", _UNARY
        case ir.Binary():
            own = _LEVEL[expr.op]
            return f"{_expr(expr.left, own)} {expr.op} {_expr(expr.right, own + 1)}", own
        case ir.Select():
            cond, then, other = _expr(expr.cond, 1), _expr(expr.then, 0), _expr(expr.other, 0)
            return f"{cond} ? {then} : {other}", _SELECT
        case ir.Cast():
            if expr.spelling is not None:
                return expr.spelling, _PRIMARY
            opening, closing = ("<", ">") if expr.implicit else ("(", ")")
            return f"{opening}{type_text(expr.type)}{closing}{_expr(expr.arg, _UNARY)}", _UNARY
        case ir.Call():
            return f"{expr.name}({', '.join(_expr(a, 0) for a in expr.args)})", _PRIMARY
        case ir.AddressOf():
            return f"&{_place(expr.place)}", _UNARY
        case _:
            assert_never(expr)


def _operand(op: str, arg: Expr) -> str:
    text = _expr(arg, _UNARY)
    return f"({text})" if text.startswith(op) else text


def _number(const: ir.Const) -> str:
    if const.type == ir.BOOL:
        return "true" if const.value else "false"
    if isinstance(const.value, float) and not math.isfinite(const.value):
        return repr(const.value)
    if isinstance(const.value, float):
        return f"{const.value!r}{'f' if const.type == ir.FLOAT else ''}"
    return f"{const.value}{'u' if const.type.kind == 'unsigned' else ''}"


def _place(place: Place) -> str:
    index = [f"[{_expr(i, 0)}]" for i in place.index]
    whole, type = place.sym.within, place.sym.type
    if whole is None or not place.sym.path or (isinstance(type, ir.Array) and type.single):
        return place.sym.name + "".join(index) + "".join(f".{p}" for p in place.path)
    outside = 1 if isinstance(whole.type, ir.Pointer) else 0
    if isinstance(whole.type, ir.Struct):
        outside = len(whole.type.extents)
    return f"{whole.name}{''.join(index[:outside])}.{'.'.join(place.sym.path)}{''.join(index[outside:])}"


def type_text(type: Type) -> str:
    """Return the type in C, without a name."""
    match type:
        case ir.Scalar():
            return type.name
        case ir.Pointer():
            words = f"{'const ' if type.const else ''}{type_text(type.target)} *"
            return words + ("__restrict__" if type.restrict else "")
        case ir.Array():
            return type.element.name + _extents(type)
        case ir.Struct():
            return type.name + "".join(f"[{n}]" for n in type.extents)
        case _:
            assert_never(type)


def _extents(type: ir.Array) -> str:
    return "".join(f"[{s}]" for s in (type.spelled or map(str, type.extents)))


def _declarator(sym: ir.Sym) -> str:
    const = "const " if sym.const and not isinstance(sym.type, ir.Pointer) else ""
    shared = "__shared__ " if sym.storage == "shared" else ""
    if isinstance(sym.type, ir.Array) and sym.type.open:
        return f"extern {shared}{sym.type.element.name} {sym.name}[]"
    if isinstance(sym.type, ir.Pointer):
        shared = ""  # the target is shared
    match sym.type:
        case ir.Array():
            return f"{shared}{const}{sym.type.element.name} {sym.name}{_extents(sym.type)}"
        case ir.Pointer():
            space = " " if sym.type.restrict else ""
            return f"{shared}{type_text(sym.type)}{space}{sym.name}"
        case _:
            return f"{shared}{const}{type_text(sym.type)} {sym.name}"


# ---- statements -------------------------------------------------------------


def _lines(body: Body, depth: int) -> list[str]:
    return [line for stmt in body for line in _stmt(stmt, depth)]


def _stmt(stmt: Stmt, depth: int) -> list[str]:
    pad = "    " * depth
    match stmt:
        case ir.If():
            lines = [f"{pad}if ({_expr(stmt.cond, 0)}) {{", *_lines(stmt.then, depth + 1)]
            if stmt.other:
                lines += [f"{pad}}} else {{", *_lines(stmt.other, depth + 1)]
            return [*lines, f"{pad}}}"]
        case ir.For():
            cond = _expr(stmt.cond, 0) if stmt.cond is not None else ""
            init, step = (", ".join(_inline(s) for s in part) for part in (stmt.init, stmt.step))
            head = f"for ({init}; {cond}; {step})".replace("; ;", ";;").replace("; )", ";)")
            return [
                *_pragmas(stmt.pragmas, pad),
                f"{pad}{head} {{",
                *_lines(stmt.body, depth + 1),
                f"{pad}}}",
            ]
        case ir.While():
            head = f"{pad}while ({_expr(stmt.cond, 0)}) {{"
            return [*_pragmas(stmt.pragmas, pad), head, *_lines(stmt.body, depth + 1), f"{pad}}}"]
        case ir.DoWhile():
            tail = f"{pad}}} while ({_expr(stmt.cond, 0)});"
            return [*_pragmas(stmt.pragmas, pad), f"{pad}do {{", *_lines(stmt.body, depth + 1), tail]
        case ir.Switch():
            lines = [f"{pad}switch ({_expr(stmt.selector, 0)}) {{"]
            for case in stmt.cases:
                lines += [f"{pad}{_label(case, k)}:" for k in range(len(case.labels))]
                lines += _lines(case.body, depth + 1)
            return [*lines, f"{pad}}}"]
        case ir.Block():
            return [f"{pad}{{", *_lines(stmt.body, depth + 1), f"{pad}}}"]
        case ir.Break():
            return [f"{pad}break;"]
        case ir.Continue():
            return [f"{pad}continue;"]
        case ir.Return():
            return [f"{pad}return {_expr(stmt.value, 0)};" if stmt.value is not None else f"{pad}return;"]
        case ir.Quote():
            return [f"{pad}// {_inline(stmt.primal)}" + (f"  ({stmt.note})" if stmt.note else "")]
        case ir.Banner() | ir.Comment():
            return [f"{pad}// {stmt.text}"]
        case _:
            return [f"{pad}{_inline(stmt)};"]


def _pragmas(pragmas: tuple[str, ...], pad: str) -> list[str]:
    return [f"{pad}{pragma}" for pragma in pragmas]


def _label(case: ir.Case, k: int) -> str:
    if case.labels[k] is None:
        return "default"
    return f"case {case.spelled[k] if case.spelled else case.labels[k]}"


def _inline(stmt: Stmt) -> str:
    """Return a one-line statement, without its semicolon."""
    match stmt:
        case ir.Declare():
            return _declarator(stmt.sym) + (f" = {_init(stmt.init)}" if stmt.init is not None else "")
        case ir.Assign():
            return f"{_place(stmt.target)} {stmt.op or '='} {_expr(stmt.value, 0)}"
        case ir.Evaluate():
            return _expr(stmt.call, 0)
        case ir.Record():
            return f"record {_place(stmt.tape)} = {_expr(stmt.value, 0)}"
        case ir.Restore():
            return f"restore {_place(stmt.target)} = {_expr(stmt.tape, 0)}"
        case ir.Accumulate():
            sign = "-=" if stmt.negative else "+="
            how = stmt.how + _where(stmt.exists)
            return f"accumulate {_place(stmt.target)} {sign} {_expr(stmt.amount, 0)}  ({how})"
        case ir.Clear():
            return f"clear {_place(stmt.target)}"
        case ir.Barrier():
            mask = "" if stmt.mask is None else _expr(stmt.mask, 0)
            return f"{'__syncwarp' if stmt.warp else '__syncthreads'}({mask})"
        case _:
            return _stmt(stmt, 0)[0].removesuffix(" {")


def _where(exists: ir.Exists | None) -> str:
    """`, if n > 0`: when the element exists."""
    if exists is None:
        return ""
    return ", exists" if exists.always else f", if {' && '.join(_expr(e, 5) for e in exists.when)}"


def _init(init: Expr | Initialiser) -> str:
    if isinstance(init, Initialiser):
        return "{" + ", ".join(_expr(v, 0) for v in init.values) + "}"
    return _expr(init, 0)


def _function(function: Function) -> str:
    params = ", ".join(_declarator(p.sym) for p in function.params)
    words = " ".join((*function.attributes, type_text(function.result)))
    return "\n".join([f"{words} {function.name}({params})", "{", *_lines(function.body, 1), "}"])
