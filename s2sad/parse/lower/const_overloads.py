"""Resolve overloads that differ in the `const` of a reference, as those of a matrix's elements do.

    float &at(Matrix &m, int i);         at(m, 0) = 1.0f;  // the first, which an lvalue fits better
    float at(const Matrix &m, int i);    at(a + b, 0);     // the second: no value is bound to the first

[over.ics.rank]: of two references to the same type, the less const one is the better; [over.best]:
one that can't be bound isn't a candidate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pycparser import c_ast

from ... import ir
from ..sema.meanings import Device
from ..sema.scope import Context
from .memory import glvalues, pointer_forms, struct_variables


@dataclass(frozen=True)
class Fitting:
    """Which overloads can refer to their arguments, and which of these fit best."""

    ctx: Context
    returns_const: Callable[[Context, c_ast.FuncCall], bool]  # whether a call's reference is to const

    def best(self, choices: Sequence[Device], among: list[int], args: Sequence[c_ast.Node]) -> list[int]:
        """Return those of the equally good overloads that fit these arguments best."""
        differing = [
            k
            for k in range(len(args))
            if len({k in choices[j].fixed for j in among if k in choices[j].references}) > 1
        ]
        if not differing:
            return among
        fixed = {k for k in differing if self.is_const(args[k])}
        found = [j for j in among if not any(_open(choices[j], k) for k in fixed)]
        costs = {j: [k in choices[j].fixed for k in differing if k not in fixed] for j in found}
        return [j for j in found if not any(_below(costs[other], costs[j]) for other in found)]

    def is_const(self, node: c_ast.Node) -> bool:
        """Whether a struct is const, or a mere value: only a reference to const may refer to it."""
        ctx = self.ctx
        if not glvalues.is_lvalue(ctx, node):
            return True
        match node:
            case c_ast.ID(name=name):
                constant = ctx.constants.get(name)
                known = constant is not None and ctx.lookup(name) is constant
                return known or pointer_forms.is_const(ctx, node)
            case c_ast.StructRef(name=inner, type="."):
                return self.is_const(inner)
            case c_ast.StructRef(name=inner) | c_ast.ArrayRef(name=inner) | c_ast.UnaryOp(op="*", expr=inner):
                return self._points_to_const(inner)
            case c_ast.Assignment(lvalue=inner) | c_ast.UnaryOp(expr=inner):
                return self.is_const(inner)
            case c_ast.ExprList(exprs=parts):
                return self.is_const(parts[-1])
            case c_ast.TernaryOp(iftrue=one, iffalse=two):
                return self.is_const(one) or self.is_const(two)
            case c_ast.FuncCall():
                return self.returns_const(ctx, node)
            case _:
                return pointer_forms.is_const(ctx, node)

    def _points_to_const(self, node: c_ast.Node) -> bool:
        """Whether what a pointer points to is const, or the elements of an array are."""
        if isinstance(node, c_ast.StructRef) and struct_variables.named(self.ctx, node):
            type = struct_variables.static_access(self.ctx, node)
            return type.const if isinstance(type, ir.Pointer) else self.is_const(node)
        if isinstance(node, c_ast.ArrayRef):  # a row of an array
            return self._points_to_const(node.name)
        return pointer_forms.is_const(self.ctx, node)


def _open(device: Device, k: int) -> bool:
    """Whether a function may write through this parameter, so that it can't refer to a value."""
    return k in device.references and k not in device.fixed


def _below(a: list[bool], b: list[bool]) -> bool:
    return a != b and all(x <= y for x, y in zip(a, b, strict=True))
