"""The state of lowering one function: names in scope, where statements go, problems found."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code, Diagnostic, Rejected, diagnose
from ...fields import leaves, split
from ...ir import Const, Declare, Expr, Place, Stmt, Sym, Type
from ...source import Span
from ..desugar import side_effects
from ..desugar.readonly_params import Known
from ..syntax import ast_utils
from ..syntax.classes import Class
from ..syntax.lexer import Qualified
from ..syntax.qualified_types import ClassName, ClassTemplate, Member, VariableName, VariableTemplate
from ..types import types
from .meanings import Alias, Bindings, Device, Leaving, Named, Poisoned, Referred

T = TypeVar("T")
A = TypeVar("A")


class Written(Protocol):
    """The positions of nodes in the author's file, and their spellings."""

    def span(self, node: c_ast.Node) -> Span | None: ...

    def spelling(self, node: c_ast.Node) -> tuple[str, str | None] | None: ...

    def text(self, node: c_ast.Node) -> str: ...

    def head(self, node: c_ast.Node) -> Span | None: ...

    def stands_for(self, made: c_ast.Node, node: c_ast.Node) -> None: ...


class ClassTemplates(Protocol):
    """The class templates of the closure, and their instances."""

    @property
    def arguments(self) -> Mapping[str, tuple[str, Bindings]]: ...

    @property
    def members(self) -> dict[str, Bindings]: ...

    @property
    def bound(self) -> Mapping[str, Bindings]: ...

    @property
    def unnamed(self) -> dict[int, str]: ...

    def type(self, ctx: Context, name: ClassName) -> tuple[Type, bool]: ...

    def member(self, ctx: Context, node: Member) -> tuple[Type, Const | Type | None]: ...

    def template(self, ctx: Context, name: str) -> ir.Struct | None: ...

    def given(
        self, ctx: Context, name: ClassName, primary: ClassTemplate | VariableTemplate | None
    ) -> Bindings: ...

    def beside(self, node: Class, struct: ir.Struct) -> tuple[Class, ir.Struct | None]: ...

    def define(self, node: Class, struct: ir.Struct, written: str) -> None: ...

    def complete(self, struct: ir.Struct) -> None: ...

    def kept(self, struct: ir.Struct) -> None: ...

    def deduced(self, declarator: c_ast.Node, type: Type | Const) -> list[tuple[str, Type | Const]]: ...

    def other(self, declarator: c_ast.Node, type: Type | Const, open_: set[str]) -> bool: ...


class VariableTemplates(Protocol):
    """The variable templates of the closure, and their instances."""

    def meant(self, ctx: Context, name: VariableName) -> Named | None: ...


class Instances(Protocol):
    """The function templates of the closure, and their instances."""

    @property
    def operators(self) -> bool: ...

    @property
    def referring(self) -> set[str]: ...

    def known(self, name: str) -> bool: ...

    def candidates(
        self, ctx: Context, node: c_ast.Node, name: str, explicit: Sequence[c_ast.Node], given: Sequence[Type]
    ) -> list[Device]: ...

    def lowered(self, ctx: Context, node: c_ast.FuncCall, device: Device) -> None: ...


@dataclass
class Unit:
    """A translation unit: what all its functions share."""

    written: Written
    emitted: bool = False
    adjoint: bool = False  # a file that s2sad wrote, to be differentiated once more
    names: dict[str, Named] = field(default_factory=dict)  # of the file,
    types: dict[str, tuple[Type, bool]] = field(default_factory=dict)  # and its types, whether const
    functions: dict[str, tuple[Device, ...]] = field(default_factory=dict)
    methods: set[str] = field(default_factory=set)  # their names without the classes'
    inlined: dict[str, list[Device]] = field(default_factory=dict)  # the functions that are inlined
    operators: bool = False  # whether any is an operator
    bodies: dict[str, ir.Function] = field(default_factory=dict)  # of the functions, by their keys
    instances: Instances | None = None
    generic: ClassTemplates | None = None
    variable_templates: VariableTemplates | None = None
    classes: dict[str, c_ast.Node] = field(default_factory=dict)  # definitions of structs, by name
    pairs: set[ir.Struct] = field(default_factory=set)  # the pairs of half precision in the file
    overlaid: dict[ir.Struct, dict[str, ir.Scalar]] = field(default_factory=dict)  # unions: bits by name
    carried: set[str] = field(default_factory=set)  # the words that carry other numbers
    assigned: frozenset[str] = frozenset()  # the names that something in the closure may write to
    rows: list[ir.Row] = field(default_factory=list)  # pointers into arrays, as they are declared
    vectors: dict[ir.Struct, None] = field(default_factory=dict)  # computed with as wholes,
    multiplied: set[ir.Struct] = field(default_factory=set)  # and those multiplied component by component

    def add(self, device: Device) -> None:
        """Add a function."""
        name = device.name
        self.functions[name] = (*self.functions.get(name, ()), device)
        self.operators |= name.startswith("operator")
        if "::" in name:
            self.methods.add(name.rpartition("::")[2])
        if device.inline:
            self.inlined.setdefault(name, []).append(device)


@dataclass
class FunctionScope:
    """A function: what it shares with the functions that are inlined into it."""

    through: side_effects.Through = field(default_factory=dict)
    reading: Known = field(default_factory=Known)
    remarks: list[Diagnostic] = field(default_factory=list)  # diagnostics of a kernel that is accepted
    called: set[str] = field(default_factory=set)  # the keys of the device functions that are called
    kept: set[Sym] = field(default_factory=set)  # temporaries, written once
    values: dict[Sym, int | float | bool] = field(default_factory=dict)
    parts: dict[Sym, dict[tuple[str, ...], Sym]] = field(default_factory=dict)  # of structs
    begun: dict[c_ast.Node, Sym] = field(default_factory=dict)  # by the call or declaration that fills it
    # shared memory of several types, and where each of them begins
    regions: dict[Sym, tuple[Sym, ...]] = field(default_factory=dict)
    origins: dict[Sym, list[tuple[Sym, Expr]]] = field(default_factory=dict)
    recast: dict[Sym, c_ast.Node] = field(default_factory=dict)  # the first cast to such a type
    begun_by: dict[Sym, None] = field(default_factory=dict)  # indexed from the one pointer that begins it
    copied: dict[str, c_ast.Node] = field(default_factory=dict)  # arrays whose elements `auto [a, b]` names


@dataclass
class ExpressionScope:
    """A full expression.

    `after` collects side effects that may run after the statement (`a[i++] = b`);
    None where they may not. `direct` is the node whose value is stored directly,
    so that a call with output arguments needs no temporary there.
    """

    survey: side_effects.Survey = side_effects.PURE
    after: list[Stmt] | None = None
    direct: tuple[c_ast.Node, Type] | None = None
    discarded: c_ast.Node | None = None  # the node whose value is unused


@dataclass
class Context:
    """The body that is being lowered: its names, and where its statements go.

    The body is a function's or that of a function being inlined. Statements are appended
    to `out`; `later` are those after this one in its block, `moved` the pointers that the
    body assigns to.
    """

    unit: Unit
    function: FunctionScope = field(default_factory=FunctionScope)
    expression: ExpressionScope = field(default_factory=ExpressionScope)
    scopes: list[dict[str, Named]] = field(init=False)
    typedefs: list[dict[str, tuple[Type, bool]]] = field(init=False)
    candidates: dict[int, list[Device]] = field(default_factory=dict)  # from templates, by the id of a call
    taken: set[str] = field(default_factory=set)
    variables: list[Sym] = field(default_factory=list)  # of the file, passed as arrays
    lone: set[str] = field(default_factory=set)  # those of them that aren't arrays
    counters: dict[str, str] = field(default_factory=dict)  # of the loops that reductions are lowered to
    result: Type = ir.VOID
    leaving: Leaving | None = None
    returned: list[Type] | None = None  # the return types found, while `auto` is deduced
    out: list[Stmt] = field(default_factory=list)
    alone: c_ast.Node | None = None  # the node that is the whole initialiser of a struct or a reference
    around: tuple[str, ...] = ()  # the loops and switches around a statement
    pragmas: list[str] = field(default_factory=list)
    inside: tuple[str, ...] = ()  # the functions that are being inlined into this one
    callee: str = ""  # the innermost of them, as the author calls it
    called: Span | None = None  # where the outermost of them is called
    dynamic: str | None = None  # the name of the dynamic shared memory
    root: c_ast.Node | None = None  # the body of the function
    copies: frozenset[int] | None = None  # the casts in it that only copy words, by id
    later: ast_utils.Rest = field(default_factory=ast_utils.Rest)
    moved: frozenset[str] = frozenset()
    aliases: set[str] = field(default_factory=set)  # every name that has been an alias
    constants: dict[str, Named] = field(default_factory=dict)  # parameters that are const to the callee
    offsets: set[Sym] = field(default_factory=set)  # of pointers that move
    meant: dict[Sym, Expr] = field(default_factory=dict)  # named offsets whose value doesn't change
    bytes: set[Sym] = field(default_factory=set)  # shared memory declared as bytes and used as numbers
    raw: bool = False  # inside a cast of such bytes to another type
    referenced: set[Sym] = field(default_factory=set)  # variables that have an alias
    problems: list[Diagnostic] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.scopes = [self.unit.names]
        self.typedefs = [self.unit.types]

    # ---- messages ------------------------------------------------------------

    def span(self, node: c_ast.Node) -> Span | None:
        span = self.unit.written.span(node)
        return None if span is None else span.through(self.called)

    def spelling(self, node: c_ast.Node) -> tuple[str, str | None] | None:
        """Return the spelling of a value, unless it contains a name that differs in the output."""
        spelled = self.unit.written.spelling(node)
        if spelled is not None and self.aliases and not self.aliases.isdisjoint(ast_utils.names(node)):
            return None
        return spelled

    def reject(self, code: Code, node: c_ast.Node, **values: str) -> Rejected:
        """Return the exception that refuses a node; the caller raises it."""
        return Rejected(diagnose(code, self.span(node), **values))

    def type_error(self, node: c_ast.Node, title: str, label: str) -> Rejected:
        return self.reject(Code.TYPE_ERROR, node, title=title, label=label)

    def note(self, rejected: Rejected) -> None:
        """Record why a statement was refused, so that lowering can go on with the next."""
        for diagnostic in rejected.diagnostics:
            if diagnostic not in self.problems:
                self.problems.append(diagnostic)

    # ---- names ---------------------------------------------------------------

    def part(self, whole: Sym, path: tuple[str, ...]) -> Sym:
        """Return the symbol of a leaf of a variable of a struct type."""
        if whole not in self.function.parts:
            self.function.parts[whole] = split(whole)
        return self.function.parts[whole][path]

    def parts_of(self, whole: Sym) -> dict[tuple[str, ...], Sym]:
        """Return the symbols of all leaves of a variable, by their paths."""
        struct = whole.type.target if isinstance(whole.type, ir.Pointer) else whole.type
        assert isinstance(struct, ir.Struct)
        return {leaf.path: self.part(whole, leaf.path) for leaf in leaves(struct)}

    def lookup(self, name: str) -> Named | None:
        """Return a name's meaning; a qualified one is no local variable, but may be a local enumerator."""
        local = (scope[name] for scope in reversed(self.scopes) if name in scope)
        if isinstance(name, Qualified):
            if name in self.scopes[0]:
                return self.scopes[0][name]
            return next((it for it in local if isinstance(it, Const)), None)
        if (found := next(local, None)) is not None:
            return found
        if isinstance(name, VariableName) and self.unit.variable_templates is not None:
            return self.unit.variable_templates.meant(self, name)
        return None

    def rebind(self, name: str, named: Named) -> None:
        """Change the meaning of a name in scope from here on."""
        next(scope for scope in reversed(self.scopes) if name in scope)[name] = named

    def touched(self, node: c_ast.Node | None) -> side_effects.Touched:
        """Return what an expression reads and writes, under all aliases."""
        found = side_effects.touched(node, self.function.through, self._number)
        if not self.aliases and not self.inside:
            return found
        moved = found.writes - found.within
        return side_effects.Touched(
            self._all_names(found.reads),
            self._all_names(found.writes - moved) | self._all_names(moved, moved=True),
            found.within,
        )

    def _number(self, name: str) -> bool:
        named = self.lookup(name)
        return isinstance(named, Const) or (isinstance(named, Sym) and isinstance(named.type, ir.Scalar))

    def surveyed(self, node: c_ast.Node) -> side_effects.Survey:
        """Survey the side effects in an expression."""
        return side_effects.survey(node, self.unit.emitted, self.function.through)

    def _all_names(self, names: frozenset[str], *, moved: bool = False) -> frozenset[str]:
        """Return the variables that names denote; if `moved`, a pointer itself changes, not its target."""
        known = set(names)
        for name in names:
            named = self.lookup(name)
            if isinstance(named, Alias):
                if named.at is not None and (named.reference or not moved):
                    known.add(named.at.sym.name)
                known |= {named.offset.name} if named.offset is not None else set()
            elif isinstance(named, Referred):
                known.add(named.access.whole.name)
                known |= {named.offset.name} if named.offset is not None else set()
            whole = named.access.whole if isinstance(named, Referred) else named
            if isinstance(whole, Sym):  # pointers in it denote arrays of other variables
                known.add(whole.variable)
                known |= {part.variable for part in self.function.parts.get(whole, {}).values()}
        return frozenset(known)

    def typedef(self, name: str) -> tuple[Type, bool] | None:
        if isinstance(name, ClassName):
            return self.unit.generic.type(self, name) if self.unit.generic is not None else None
        for scope in reversed(self.typedefs):
            if name in scope:
                return scope[name]
        return None

    @property
    def overloaded(self) -> bool:
        """Whether operators may mean functions."""
        instances = self.unit.instances
        return self.unit.operators or (instances is not None and instances.operators)

    def at_file(self, bound: Mapping[str, Type | Const]) -> Context:
        """Return a context at file scope, with these template arguments in a scope of their own."""
        inner = Context(self.unit, FunctionScope(values=self.function.values))
        inner.bind(bound)
        return inner

    def bind(self, bound: Mapping[str, Type | Const]) -> None:
        """Bind template parameters, types and numbers, in a scope around the function's own."""
        if bound:
            self.scopes.append({name: it for name, it in bound.items() if isinstance(it, Const)})
            self.typedefs.append({n: (it, False) for n, it in bound.items() if not isinstance(it, Const)})

    def substituted(self, text: str) -> str:
        """Replace a template's numbers in a text by their values, valid outside the function too."""
        if len(self.scopes) < 2:
            return text
        known = {name: it for name, it in self.scopes[1].items() if isinstance(it, Const)}
        return re.sub(r"\b[A-Za-z_]\w*", lambda m: str(known[m[0]].value) if m[0] in known else m[0], text)

    def visible(self) -> list[str]:
        return [name for scope in reversed(self.scopes) for name in scope]

    def poison(self, name: str) -> None:
        """Mark a name whose declaration was refused, so that its uses aren't reported."""
        self.scopes[-1][name] = Poisoned()

    def declare(self, sym: Sym | Alias, node: c_ast.Node, name: str = "") -> None:
        """Put a symbol into the innermost scope, under its own name or another."""
        scope, name = self.scopes[-1], name or sym.name
        earlier = scope.get(name)
        scope[name] = sym
        if isinstance(earlier, Sym | Const | Alias):
            first = ((earlier.span, "declared here first"),) if earlier.span is not None else ()
            problem = diagnose(Code.DECLARED_TWICE, self.span(node), name=name)
            raise Rejected(replace(problem, related=first))

    @contextmanager
    def scope(self) -> Iterator[dict[str, Named]]:
        """Open a new innermost scope."""
        self.scopes.append({})
        self.typedefs.append({})
        try:
            yield self.scopes[-1]
        finally:
            self.scopes.pop()
            self.typedefs.pop()

    def otherwise(self, name: str) -> tuple[str, ...]:
        """Return other names of a local, for where its own is taken: `wave_r` in an inlined wave."""
        return (f"{self.callee}_{name}",) if self.callee else ()

    def fresh(self, wish: str) -> str:
        """Return an unused name made from the wished one."""
        name, n = wish, 2
        while name in self.taken:
            name, n = f"{wish}{n}", n + 1
        self.taken.add(name)
        return name

    @contextmanager
    def beginning(self, node: c_ast.Node | None, sym: Sym | None) -> Iterator[None]:
        """Build the value of a call or a declaration in this variable, if there is one, in the meantime."""
        if node is not None and sym is not None:
            self.function.begun[node] = sym
        try:
            yield
        finally:
            if node is not None:
                self.function.begun.pop(node, None)

    # ---- statements ----------------------------------------------------------

    @contextmanager
    def collecting(self) -> Iterator[list[Stmt]]:
        """Collect statements in a list of their own in the meantime."""
        outer, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = outer

    @contextmanager
    def full(self, node: c_ast.Node | None, *, delay: bool = False) -> Iterator[None]:
        """Enter a full expression. With `delay`, `i++` may take effect after its statement."""
        outer = self.expression
        survey = self.surveyed(node) if node is not None else side_effects.PURE
        self.expression = ExpressionScope(survey, [] if delay and survey.effectful else None)
        try:
            yield
            if self.expression.after:
                self.out.extend(self.expression.after)
        finally:
            self.expression = outer

    @contextmanager
    def within(self, word: str) -> Iterator[None]:
        """Enter a loop or a switch, which `break` and `continue` may leave."""
        outer, self.around = self.around, (*self.around, word)
        try:
            yield
        finally:
            self.around = outer

    @contextmanager
    def arm(self) -> Iterator[None]:
        """Enter one branch of an expression: no side effect may wait for the end of the statement."""
        here = self.expression
        after, here.after = here.after, None
        try:
            yield
        finally:
            self.expression.after = after

    def stores(self, node: c_ast.Node, type: Type) -> bool:
        """Whether the value of a node is stored directly as that type: it needs no temporary."""
        direct = self.expression.direct
        return direct is not None and direct[0] is node and types.same(direct[1], type)

    def keep(self, expr: Expr, wish: str | None = None, *, ours: bool = False) -> Place:
        """Save the current value of an expression in a temporary; `ours` may be moved where that is safe."""
        if not isinstance(expr.type, ir.Scalar):
            raise AssertionError(f"a temporary of {expr.type}")
        if isinstance(expr, Place) and expr.sym in self.function.kept:
            return expr
        # A plain saved value may be moved by later passes; the result of a collective must stay in place.
        ours = ours or not (wish or isinstance(expr, ir.Call))
        name = self.fresh(wish or _wish(expr))
        sym = Sym(name, expr.type) if ours else Sym(name, expr.type, span=expr.span, origin="lowering")
        self.function.kept.add(sym)
        self.out.append(Declare(sym, replace(expr, spelling=None, macro=None), span=expr.span))
        return Place(sym, (), expr.type, span=expr.span)


def _wish(expr: Expr) -> str:
    """Return a name for the saved value of an expression, after the first variable in it."""
    for part in ir.walk(expr):
        if isinstance(part, Place):
            return f"{part.sym.plain}_was"
    return "kept"


def all_of(function: Callable[[A], T], items: Iterable[A]) -> list[T]:
    """Return the results for all items; raises Rejected with the reasons of all that are refused."""
    results: list[T] = []
    reasons: list[Diagnostic] = []
    refused = False
    for item in items:
        try:
            results.append(function(item))
        except Rejected as rejected:
            reasons.extend(rejected.diagnostics)
            refused = True
    if refused:
        raise Rejected(*reasons)
    return results


def nearest(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean ...?` for a label, if a known name is close."""
    close = difflib.get_close_matches(name, sorted(set(known)), n=1, cutoff=0.7)
    return f"; did you mean `{close[0]}`?" if close else ""


def listed(types: Sequence[str]) -> str:
    return ", ".join(types)
