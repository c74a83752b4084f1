"""Dispatch on the class of a node: each question about nodes calls the handler registered for the class.

    @lowers(c_ast.TernaryOp)
    def _select(ctx: Context, node: c_ast.TernaryOp) -> Expr: ...

Expressions hold statements, statements hold expressions, and a call may be both. Code that
handles a node asks here about the nodes inside it, without importing their handlers.
So a feature imports what it builds on, and nothing imports a feature.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar

from pycparser import c_ast

from ...diagnostics import Diagnostic
from ...ir import Expr, Function, Place, Struct, Type
from .meanings import Bindings, Value
from .scope import Context

P = ParamSpec("P")
R = TypeVar("R")


class Question(Generic[P, R]):
    """A question about a node; the handler of the nearest base class applies."""

    def __init__(self, asked: Callable[P, R]) -> None:
        self.__doc__ = asked.__doc__
        self._name = asked.__name__
        self._answers: dict[type, Callable[P, R]] = {}
        self._found: dict[type, Callable[P, R]] = {}

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        kind = type(args[1])
        answer = self._found.get(kind)
        if answer is None:
            answer = self._found[kind] = self._nearest(kind)
        return answer(*args, **kwargs)

    def when(self, *kinds: type) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """Register a handler for nodes of these classes and of their subclasses."""

        def register(answer: Callable[P, R]) -> Callable[P, R]:
            for kind in kinds:
                if kind in self._answers:
                    raise AssertionError(f"two answers to `{self._name}` of {kind.__name__}")
                self._answers[kind] = answer
            self._found.clear()
            return answer

        return register

    def otherwise(self, answer: Callable[P, R]) -> Callable[P, R]:
        """Register the handler for all nodes that have no other handler."""
        return self.when(object)(answer)

    def _nearest(self, kind: type) -> Callable[P, R]:
        for base in kind.__mro__:
            if base in self._answers:
                return self._answers[base]
        raise AssertionError(f"nobody answers `{self._name}` of {kind.__name__}")


# ---- questions -----------------------------------------------------------------


@Question
def expression(ctx: Context, node: c_ast.Node) -> Expr:
    """Lower an expression to a value, without its span (`evaluation.value` adds that)."""
    raise NotImplementedError


@Question
def statement(ctx: Context, node: c_ast.Node) -> None:
    """Lower a statement and append the result to `ctx.out`."""
    raise NotImplementedError


@Question
def place(ctx: Context, node: c_ast.Node, *, rows: bool = False) -> Place:
    """Lower an expression to the lvalue that it names, with `rows` also a row; refuse any other."""
    raise NotImplementedError


@Question
def referred(ctx: Context, node: c_ast.FuncCall) -> Place | None:
    """Return the lvalue that a call refers to; None if the function returns a value."""
    raise NotImplementedError


@Question
def pointer(ctx: Context, node: c_ast.Node) -> Place:
    """Return the lvalue that a pointer points to; a row, if it points to rows."""
    raise NotImplementedError


@Question
def moved(ctx: Context, node: c_ast.Node) -> Place:
    """Return what the value of an expression that moves a pointer points to: `p++`, `p = q`."""
    raise NotImplementedError


@Question
def changed(ctx: Context, node: c_ast.Node) -> Place:
    """Return the lvalue that an assignment or a step changes; the change is appended to `ctx.out`."""
    raise NotImplementedError


@Question
def type_of(ctx: Context, node: c_ast.Node) -> Type:
    """Return the type of an argument, without evaluating it."""
    raise NotImplementedError


@Question
def refers(ctx: Context, node: c_ast.Node) -> bool:
    """Whether an expression is a call of a function that returns a reference."""
    raise NotImplementedError


@Question
def static(ctx: Context, node: c_ast.Node) -> Struct | None:
    """Return the struct type of an expression, without evaluating it; None if it has another type."""
    raise NotImplementedError


@Question
def struct_value(ctx: Context, node: c_ast.Node) -> Value:
    """Lower an expression of a struct type; its side effects are appended to `ctx.out`."""
    raise NotImplementedError


@Question
def initialised(ctx: Context, node: c_ast.Node, type: Struct) -> Value:
    """Lower the initialiser of a struct to a value."""
    raise NotImplementedError


@Question
def constructed(ctx: Context, node: c_ast.Node, name: str, args: list[c_ast.Node]) -> Value | Expr | None:
    """Lower a call of a constructor with these arguments."""
    raise NotImplementedError


@Question
def viewed(ctx: Context, node: c_ast.Cast) -> Struct | None:
    """Return the struct of numbers as which a cast reads an array of numbers; None for other casts."""
    raise NotImplementedError


@Question
def begun(ctx: Context, node: c_ast.Cast, struct: Struct) -> Place:
    """Return the first number of what a cast reads as structs of numbers."""
    raise NotImplementedError


@Question
def structure(ctx: Context, node: c_ast.Struct, within: tuple[str, Bindings] | None = None) -> Type:
    """Return the struct that is defined here, or the known one of that name."""
    raise NotImplementedError


@Question
def function(
    ctx: Context,
    node: c_ast.FuncDef,
    problems: list[Diagnostic],
    *,
    is_kernel: bool,
    bound: Bindings | None = None,
    name: str = "",
    result: Type | None = None,
    returned: list[Type] | None = None,
) -> tuple[Function, set[str]]:
    """Lower one function in a context of its own; also return the keys of the functions it calls."""
    raise NotImplementedError


lowers = expression.when
"""`@lowers(c_ast.StructRef)`: register a handler that lowers such nodes to values."""

runs = statement.when
"""`@runs(c_ast.If)`: register a handler that lowers such nodes to statements."""
