"""Integers that hold the bits of floating-point numbers, and floats made from such bits.

    scratch[i] = __uint_as_float(behind ? 1u : 0u);
    bool behind = (__float_as_uint(scratch[i]) & 1u) != 0u;

A float made from integers has no derivative, like one converted from an integer; nor has
a flag read from bits. But an integer may itself carry a differentiable value:

    y[i] = __int_as_float((int)(a * x[i] + b));      // an exponential function, roughly
    y[i] = __float_as_int(x[i]) * 1.19e-7f - 127.0f; // a logarithm, roughly

Here the author wants the slope. So the check tracks which integers derive from floats: an
integer rounded from a float may not be reinterpreted as bits, and one that holds bits may
not become a float in any way. Conditions, indices and single bits are exempt.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Literal

from ...diagnostics import Code, Diagnostic, diagnose
from ...fixpoint import rounds
from ...ir import (
    BOOL,
    AddressOf,
    Assign,
    Call,
    Cast,
    Declare,
    Expr,
    Function,
    Initialiser,
    Place,
    Pointer,
    Program,
    Return,
    Scalar,
    Select,
    Sym,
    all_parts,
    children,
    expressions,
    is_floating,
    statements,
    walk,
)

Made = Literal["rounded", "bits"]
"""How an integer derives from a float."""
_NOTHING: frozenset[Made] = frozenset()


def misread(program: Program) -> Iterator[Diagnostic]:
    """The calls and casts that may turn such an integer back into a float."""
    functions = (program.kernel, *program.functions.values())
    every = [e for f in functions for e in all_parts(*f.body)]
    if not any(isinstance(e, Call) and e.rule == "bits" for e in every):
        return
    made = _Made(program.functions)
    for _ in rounds(3 * (len(every) + len(functions)), "which integers hold floating numbers"):
        if not made.follow(functions):  # the sets only grow
            break
    for e in every:
        match e:
            case Call(rule="bits", args=args) if is_floating(e) and any(made.of(arg) for arg in args):
                yield diagnose(Code.BIT_REINTERPRETATION, e.span, text=e.span.text if e.span else e.name)
            case Cast(arg=arg) if is_floating(e) and "bits" in made.of(arg):
                span = e.span or arg.span
                yield diagnose(Code.BIT_REINTERPRETATION, span, text=span.text if span else "a cast")


class _Made:
    """The variables, parameters and results whose integers derive from floats; arrays as a whole."""

    def __init__(self, functions: Mapping[str, Function]) -> None:
        self.functions = functions
        self.held: dict[Sym | str, set[Made]] = defaultdict(set)

    def follow(self, functions: tuple[Function, ...]) -> bool:
        """Process every statement once; whether anything was added."""
        before = sum(map(len, self.held.values()))
        for function in functions:
            for stmt in statements(function.body):
                match stmt:
                    case Declare(sym, init) if init is not None:
                        for value in init.values if isinstance(init, Initialiser) else (init,):
                            self._into(sym, value, sym.type)
                    case Assign(target, value):
                        self._into(target.sym, value, target.type)
                    case Return(value) if value is not None:
                        self.held[function.name] |= self.of(value)
                for top in expressions(stmt):
                    for e in walk(top):
                        if isinstance(e, Call):
                            self._passed(e)
        return sum(map(len, self.held.values())) > before

    def _into(self, sym: Sym, value: Expr, type: object) -> None:
        self.held[sym] |= self.of(value)
        if is_floating(value) and _is_integer(type):  # `i *= 0.5f`
            self.held[sym].add("rounded")

    def _passed(self, call: Call) -> None:
        """Propagate a call's arguments to the parameters, and to variables whose address is passed."""
        callee = self.functions.get(call.callee) if call.callee else None
        for k, arg in enumerate(call.args):
            match arg:
                case AddressOf(place) if callee is not None and k < len(callee.params):
                    both = self.held[place.sym] | self.held[callee.params[k].sym]
                    self.held[place.sym] |= both
                    self.held[callee.params[k].sym] |= both
                case AddressOf(place):
                    for other in call.args:
                        self.held[place.sym] |= self.of(other)
                case _ if callee is not None and k < len(callee.params):
                    self.held[callee.params[k].sym] |= self.of(arg)

    def of(self, e: Expr) -> frozenset[Made]:
        """How an expression's value derives from floats, if it is an integer of more than one bit."""
        if is_floating(e) or e.type == BOOL:
            return _NOTHING
        match e:
            case Place(sym=sym):
                return frozenset(self.held[sym])
            case Select():
                return self.of(e.then) | self.of(e.other)
            case Cast(arg=arg) if is_floating(arg):
                return frozenset({"rounded"})
            case Call(rule="bits"):
                return frozenset({"bits"})
            case Call(args=args):
                found = self._each(args)
                callee = self.functions.get(e.callee) if e.callee else None
                if callee is not None:
                    return found | frozenset(self.held[callee.name])
                return found | {"rounded"} if any(map(is_floating, args)) else found
            case AddressOf():
                return _NOTHING
            case _:
                return self._each(children(e))

    def _each(self, parts: tuple[Expr, ...]) -> frozenset[Made]:
        return _NOTHING.union(*map(self.of, parts))


def _is_integer(type: object) -> bool:
    element = getattr(type, "element", None) or (type.target if isinstance(type, Pointer) else type)
    return isinstance(element, Scalar) and element.is_integer and element != BOOL
