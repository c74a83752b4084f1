"""Parse expressions outside a kernel: in the rule table, in case files, in options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pycparser import c_ast
from pycparser.c_generator import CGenerator
from pycparser.c_parser import CParser, ParseError

from ...diagnostics import Code, Rejected, diagnose
from ...ir import Expr
from ...source import Source, Span
from ..depth import deep
from ..desugar import side_effects
from . import evaluation
from .meanings import Device, Named
from .scope import Context, Unit

_OPENING = "void f(void) { return "


@dataclass(frozen=True)
class _Text:
    """The text of one expression; the span of every node is the whole text."""

    source: Source

    def span(self, node: c_ast.Node) -> Span:
        return Span(self.source, 0, len(self.source.text))

    def spelling(self, node: c_ast.Node) -> tuple[str, str | None] | None:
        return (node.value, None) if isinstance(node, c_ast.Constant) else None

    def text(self, node: c_ast.Node) -> str:
        return str(CGenerator().visit(node))

    def head(self, node: c_ast.Node) -> Span:
        return self.span(node)

    def stands_for(self, made: c_ast.Node, node: c_ast.Node) -> None:
        """Do nothing: all nodes have the same span."""


def expression(
    text: str,
    names: Mapping[str, Named],
    origin: str = "<expression>",
    functions: Mapping[str, tuple[Device, ...]] | None = None,
) -> Expr:
    """Return a typed C expression over the given symbols; `origin` names the text in messages.

    `functions` are device functions that it may call besides the built-in ones.
    """
    return deep(lambda: _expression(Source(origin, text), names, functions or {}))


def _expression(
    source: Source, names: Mapping[str, Named], functions: Mapping[str, tuple[Device, ...]]
) -> Expr:
    whole = Span(source, 0, len(source.text))
    try:
        tree = CParser(dialect="c23").parse(f"{_OPENING}{source.text}; }}")
        items = tree.ext[0].body.block_items
        fits = len(tree.ext) == len(items) == 1 and isinstance(items[0], c_ast.Return)
    except ParseError:
        fits = False
    if not fits or items[0].expr is None:
        what = f"`{source.text}` is not an expression"
        raise Rejected(diagnose(Code.SYNTAX_ERROR, whole, what=what, label="expected an expression", help=""))
    node = items[0].expr
    if side_effects.survey(node).effectful:
        raise Rejected(
            diagnose(
                Code.SYNTAX_ERROR,
                whole,
                what=f"`{source.text}` has a side effect",
                label="expected a value without side effects",
                help="leave out assignments, `++` and `--`",
            )
        )
    ctx = Context(Unit(_Text(source), names=dict(names), functions=dict(functions)))
    with ctx.full(node):
        return evaluation.scalar(ctx, node)
