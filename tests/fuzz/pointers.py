"""Random pointers and references: other names for parts of arrays and for variables.

A pointer into an array is an array itself, so much shorter; a reference to a variable
hides it, as far as changes go, from loops that depend on it.
"""

from __future__ import annotations

from .loops import Body
from .scope import REALS, Array, Own, Role, Scope
from .tree import Block, Expr, Stmt

Places = dict[str, tuple[str, str]]
"""Functions that take places: their real type, and what they give back."""


class Pointers(Body):
    """Makes statements of all kinds, pointers and references among them."""

    def __init__(self, *args: object, places: Places | None = None, **more: object) -> None:
        super().__init__(*args, **more)  # type: ignore[arg-type]
        self.places = places or {}
        self.makers += [
            (3, self._alias),
            (2, self._walk),
            (2, self._reference),
            (1, self._chosen),
            (3 if self.places else 0, self._place_call),
        ]

    def _flat(self, size: int, *, written: bool = False) -> list[Array]:
        """Arrays of one index that have at least so many elements."""
        roles = ("local",) if written else ("read", "local", "alias")
        arrays = [a for a in self.scope.all_arrays() if a.type in REALS and a.role in roles]
        return [a for a in arrays if not a.second and a.size >= size]

    def _offset(self, array: Array, left: int) -> Expr:
        """Where a pointer may start that has so many elements before it."""
        return self.ranged(0, array.size - left)

    def _start(self, array: Array, offset: Expr) -> str:
        form = self.rng.choice(("{name} + {at}", "&{name}[{at}]", "{name} + ({at})"))
        if str(offset) == "0" and self.rng.random() < 0.5:
            return array.name
        return form.format(name=array.name, at="({0})" if " " in str(offset) else "{0}")

    # ---- pointers ----------------------------------------------------------------

    def _alias(self) -> Block:
        """`const float *p = x + k;`: an array with fewer elements."""
        arrays = self._flat(2)
        if not arrays:
            return self._local_array()
        rng, array = self.rng, self.rng.choice(arrays)
        left = rng.randint(1, min(array.size, 4))
        offset = self._offset(array, left)
        name = self.scope.fresh(array.type, f"{offset} {array.name}")
        local = array.role == "local" and rng.random() < 0.7
        const = "" if local else "const "
        role: Role = "local" if local else "alias"
        own = rng.choice(("", "", "const ", "__restrict__ " if not local else ""))
        head = f"{const}{array.type} *{own}{name} = {self._start(array, offset)};"
        self.scope.names[-1][name] = Array(name, array.type, role, left)
        return (Stmt(head, (offset,)),)

    def _chosen(self) -> Block:
        """A pointer that a branch sends elsewhere."""
        arrays = self._flat(3)
        if not arrays:
            return self._alias()
        rng, array = self.rng, self.rng.choice(arrays)
        left = rng.randint(1, array.size - 1)
        first, second = self._offset(array, left), self._offset(array, left)
        condition = self.truth(1)
        name = self.scope.fresh(array.type, f"{first} {second} {condition} {array.name}")
        move = rng.choice((f"{name} = {array.name} + ({{0}});", f"{name} = &{array.name}[{{0}}];"))
        inner = (
            Stmt(f"const {array.type} *{name} = {self._start(array, first)};", (first,), pinned=True),
            Stmt("if ({0})", (condition,), ((Stmt(move, (second,)),),)),
        )
        self.scope.names[-1][name] = Array(name, array.type, "alias", left)
        return (Stmt("", blocks=(inner,), flat=True),)

    def _walk(self) -> Block:
        """A loop in which a pointer moves, up or down, reading or writing."""
        rng, scope = self.rng, self.scope
        written = rng.random() < 0.3
        arrays = self._flat(2, written=written)
        targets = [own for own in scope.scalars(True) if not own.fixed]
        if not arrays or not targets or self.trips * 4 > 40:
            return self._alias()
        array, target = rng.choice(arrays), rng.choice(targets).name
        count = rng.randint(2, min(array.size, 4))
        offset = self._offset(array, count)
        name = scope.fresh(array.type, f"{offset} {array.name} {target}")
        trips, self.trips = self.trips, self.trips * count
        value = self.real(1)
        self.trips = trips
        if any(word == name for word in str(value).replace("(", " ").replace(")", " ").split()):
            return self._alias()
        const = "" if written else "const "
        start = Stmt(f"{const}{array.type} *{name} = {self._start(array, offset)};", (offset,), pinned=True)
        scale = "0.3f * sinf({0})"
        if written:
            text = rng.choice((f"*{name}++ = 0.5f * {scale};", f"*{name} *= cosf({{0}}); ++{name};"))
        else:
            text = rng.choice(
                (
                    f"{target} = 0.5f * {target} + {scale} * *{name}++;",
                    f"{target} += {scale} * {name}[0]; {name} += 1;",
                    f"{target} = sinf({target} + *{name}) + 0.2f * {{0}}; {name}++;",
                )
            )
        head = rng.choice(
            (
                f"for (int q3 = 0; q3 < {count}; ++q3)",
                f"for (const {array.type} *q3 = {name} + {count}; {name} < q3; )",
                f"while ({name} - {array.name} < {{1}} + {count})" if array.role != "alias" else "for (;;)",
            )
        )
        exprs: tuple[Expr, ...] = (value,)
        body = (Stmt(text, exprs, pinned=True),)
        if "{1}" in head:
            if not str(offset).isdigit():
                head = f"for (int q3 = 0; q3 < {count}; q3++)"
            else:
                head = head.replace("{1}", str(offset))
        if head == "for (;;)":
            head = f"for (int q3 = {count}; q3 > 0; q3--)"
        return (Stmt("", blocks=((start, Stmt(head, blocks=(body,), pinned=True)),)),)

    # ---- references --------------------------------------------------------------

    def _reference(self) -> Block:
        """A block in which a variable or an element has another name."""
        rng, scope = self.rng, self.scope
        scalars = [own for own in scope.visible() if isinstance(own, Own) and not own.fixed]
        arrays = self._flat(1, written=True)
        owned = [a for a in scope.all_arrays() if a.role in ("inout", "scratch")]
        scope.push()
        choice = rng.random()
        if owned and choice < 0.3:
            array = rng.choice(owned)
            place = self.owned(array, stored=True)
            kind, low, high = array.type, -2.0, 2.0
        elif arrays and choice < 0.6:
            array = rng.choice(arrays)
            place = Expr("real", f"{array.name}{{0}}", (self.index(array),), pinned=False)
            kind, low, high = array.type, -2.0, 2.0
        elif scalars:
            own = rng.choice(scalars)
            place = Expr("real", own.name, pinned=True)
            kind, low, high = own.type, own.low, own.high
            scope.declare(own.name, own.type, own.low, own.high, fixed=True)
        else:
            scope.pop()
            return self._declaration()
        name = scope.fresh(kind, str(place))
        scope.names[-1].pop(str(place), None)
        if place.pinned:
            scope.declare(str(place), kind, low, high, fixed=True)
        scope.declare(name, kind, low, high)
        star = kind in REALS and rng.random() < 0.2
        head = f"{kind} &{name} = {{0}};"
        scope.renamed.append(str(place))
        inner = self.block(push=False)
        scope.renamed.pop()
        scope.pop()
        words = str(place)
        hidden = any(f" {words} =" in line or f" {words};" in line for s in inner for line in s.lines())
        if star and not hidden:
            head = f"auto &{name} = {{0}};"
        return (Stmt("", blocks=((Stmt(head, (place,), pinned=True), *inner),)),)

    # ---- functions ---------------------------------------------------------------

    def _place_call(self) -> Block:
        rng, scope = self.rng, self.scope
        name = rng.choice(sorted(self.places))
        kind, result = self.places[name]
        read = [a for a in self._flat(2) if a.type == kind]
        written = [a for a in self._flat(2, written=True) if a.type == kind]
        scalars = [own for own in scope.scalars(True) if not own.fixed and own.type == kind]
        if not read or not written or not scalars:
            return self._local_array()
        first, out, own = rng.choice(read), rng.choice(written), rng.choice(scalars)
        a, b = self._offset(first, 2), self._offset(out, 2)
        one, two = self._start(first, a), self._start(out, b).replace("{0}", "{1}")
        call = f"{name}({one}, {two}, {own.name})"
        if result == "void":
            return (Stmt(f"{call};", (a, b)),)
        others = [o for o in scope.scalars(True) if not o.fixed and o.name != own.name]
        if not others:
            return (Stmt(f"{call};", (a, b)),)
        target = rng.choice(others).name
        form = rng.choice((f"{target} = 0.5f * {call};", f"if ({call} > 0.1f) {target} *= 0.5f;"))
        return (Stmt(form, (a, b)),)


def place_function(rng_scope: Scope, name: str, kind: str, result: str, places: Places) -> tuple[str, Block]:
    """A function that reads two elements, writes two, and changes a variable: its head and its body."""
    rng = rng_scope.rng
    rng_scope.names[-1]["a2"] = Array("a2", kind, "alias", 2)
    rng_scope.names[-1]["b2"] = Array("b2", kind, "local", 2)
    rng_scope.declare("r2", kind, -2, 2)
    returns = "value" if result != "void" else "nothing"
    body = Pointers(rng_scope, rng, budget=rng.choice((1, 3, 6)), returns=returns, places=places).block()
    if result != "void":
        value = Pointers(rng_scope, rng, returns="value").small(2)
        body = (*body, Stmt("return {0};", (value,), pinned=True))
    array = rng.choice((f"{kind} *b2", f"{kind} b2[2]"))
    return f"__device__ {result} {name}(const {kind} *a2, {array}, {kind} &r2)", body
