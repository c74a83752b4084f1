"""One dispatcher: what a node means is answered by the function registered for its class.

    @lowers(c_ast.TernaryOp)
    def _select(ctx: Context, node: c_ast.TernaryOp) -> Expr: ...

Expressions hold statements, statements hold expressions, and a call may be both: whoever
comes to a node inside another asks here, and needn't import what knows about that node.
So a feature imports what it is made of, and nothing imports a feature.
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
    """A question about a node; the answer of the nearest class above it that has one counts."""

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
        """Let a function answer for nodes of these classes, and of classes made from them."""

        def register(answer: Callable[P, R]) -> Callable[P, R]:
            for kind in kinds:
                if kind in self._answers:
                    raise AssertionError(f"two answers to `{self._name}` of {kind.__name__}")
                self._answers[kind] = answer
            self._found.clear()
            return answer

        return register

    def otherwise(self, answer: Callable[P, R]) -> Callable[P, R]:
        """Let a function answer for every node that no other one answers for."""
        return self.when(object)(answer)

    def _nearest(self, kind: type) -> Callable[P, R]:
        for base in kind.__mro__:
            if base in self._answers:
                return self._answers[base]
        raise AssertionError(f"nobody answers `{self._name}` of {kind.__name__}")


# ---- what is asked ------------------------------------------------------------


@Question
def expression(ctx: Context, node: c_ast.Node) -> Expr:
    """The value of an expression, without its place in the file (`evaluation.value` puts that on it)."""
    raise NotImplementedError


@Question
def statement(ctx: Context, node: c_ast.Node) -> None:
    """Append what a statement does to `ctx.out`."""
    raise NotImplementedError


@Question
def place(ctx: Context, node: c_ast.Node, *, rows: bool = False) -> Place:
    """The place that an expression names, with `rows` also a row of an array; refused if it names none."""
    raise NotImplementedError


@Question
def referred(ctx: Context, node: c_ast.FuncCall) -> Place | None:
    """What a call refers to of a function that returns a reference; None if it returns a value."""
    raise NotImplementedError


@Question
def pointer(ctx: Context, node: c_ast.Node) -> Place:
    """The place that a pointer points to; a row where it points to rows."""
    raise NotImplementedError


@Question
def moved(ctx: Context, node: c_ast.Node) -> Place:
    """What a pointer that an expression moves points to for who uses it: `p++`, `p = q`."""
    raise NotImplementedError


@Question
def changed(ctx: Context, node: c_ast.Node) -> Place:
    """What an assignment or a step changes, as a place; the change is appended to `ctx.out`."""
    raise NotImplementedError


@Question
def type_of(ctx: Context, node: c_ast.Node) -> Type:
    """The type of an argument, with nothing evaluated."""
    raise NotImplementedError


@Question
def refers(ctx: Context, node: c_ast.Node) -> bool:
    """Whether an expression is a call of a function that returns a reference."""
    raise NotImplementedError


@Question
def static(ctx: Context, node: c_ast.Node) -> Struct | None:
    """The struct type of an expression, with nothing evaluated; None if it is of another type."""
    raise NotImplementedError


@Question
def struct_value(ctx: Context, node: c_ast.Node) -> Value:
    """The value of an expression of a struct type; its effects are appended to `ctx.out`."""
    raise NotImplementedError


@Question
def initialised(ctx: Context, node: c_ast.Node, type: Struct) -> Value:
    """The value of an initialiser of a struct."""
    raise NotImplementedError


@Question
def constructed(ctx: Context, node: c_ast.Node, name: str, args: list[c_ast.Node]) -> Value | Expr | None:
    """What a constructor makes of these values."""
    raise NotImplementedError


@Question
def viewed(ctx: Context, node: c_ast.Cast) -> Struct | None:
    """The struct of numbers as which a cast reads an array of such numbers, None of other casts."""
    raise NotImplementedError


@Question
def begun(ctx: Context, node: c_ast.Cast, struct: Struct) -> Place:
    """The first number of the structs of numbers that a cast makes of what a pointer points to."""
    raise NotImplementedError


@Question
def structure(ctx: Context, node: c_ast.Struct, within: tuple[str, Bindings] | None = None) -> Type:
    """The struct that is defined there, or the one of that name."""
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
    """Lower one function in a context of its own; also the keys of what it calls."""
    raise NotImplementedError


lowers = expression.when
"""`@lowers(c_ast.StructRef)`: such nodes become values this way."""

runs = statement.when
"""`@runs(c_ast.If)`: such nodes become statements this way."""
