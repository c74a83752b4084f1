"""Find which of a file's items a name denotes, by C++'s rules for namespaces.

    namespace a { __device__ float f(float v); }
    __device__ double f(double v);
    __global__ void k(…) { using namespace a; … f(x[i]) … }      both; overload resolution then chooses

[basic.lookup.unqual]: a name is looked up from the inside out, up to the first scope that has it. What a
using-directive names counts as declared in the nearest namespace around both; a using-declaration declares
its name where it stands. [basic.lookup.argdep]: a function that takes a type of its own namespace is found
without a qualifier, too; types aren't known yet, but only with such an argument can it be called. Members of
classes aren't found here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from .pp_tokens import ID, Lexeme
from .toplevel import Inline, Item

Scope = tuple[str, ...]


@dataclass(frozen=True)
class Using:
    """`using namespace a::b;` in a namespace or in a block; or, with a name, `using a::b::f;`."""

    at: int  # its first token
    scope: Scope  # the namespaces around it
    target: Scope
    name: str = ""


class Lookup:
    """The namespaces of a file, and what its using-directives and -declarations say."""

    def __init__(self, tokens: Sequence[Lexeme], items: Sequence[Item]) -> None:
        self.tokens = tokens
        every = {_plain(namespaces_around(item)) for item in items}
        self.scopes = {scope[:k] for scope in every for k in range(len(scope) + 1)}
        self.types: dict[Scope, set[str]] = {}
        for item in items:
            own = item.names if item.is_generic else item.types
            self.types.setdefault(_plain(item.scope), set()).update(own)
        self.said = {i.first: i for i in items if i.kind == "other" and i.first < i.end}
        said = (_using(tokens, first, _plain(i.scope)) for first, i in self.said.items())
        self.outside = [one for one in said if one is not None]

    def found(self, items: Sequence[Item], at: int, user: Item) -> list[Item]:
        """Return those of the items of one name that it denotes in an item of the file; none if it sees none.

        `at` is the first token of the name, or of its qualifier if it has one.
        """
        qualifier: list[str] = []
        outermost = self.tokens[at].value == "::"
        while self.tokens[at + 1].value == "::" or self.tokens[at].value == "::":
            if self.tokens[at].type == ID:
                qualifier.append(self.tokens[at].value)
            at += 1
        scope = _plain(user.scope)
        if qualifier:
            return self._qualified(items, tuple(qualifier), () if outermost else scope, at)
        found = self._unqualified(items, at, () if outermost else scope, None if outermost else user)
        by_arguments = [] if outermost or self.tokens[at + 1].value != "(" else items
        return [*found, *(i for i in by_arguments if i not in found and self._takes_its_own(i))]

    def using_of(self, items: Sequence[Item]) -> list[Item]:
        """Return the using-directives and -declarations outside functions that name some of these items."""
        return [self.said[one.at] for one in self.outside if any(self._names(one, i) for i in items)]

    def _names(self, one: Using, item: Item) -> bool:
        """Whether a directive or declaration names an item before it."""
        target = self._resolved(one.target, one.scope)
        if target is None or item.first > one.at:
            return False
        scope = _plain(item.scope)
        return scope == target and one.name in item.names if one.name else scope[: len(target)] == target

    def _takes_its_own(self, item: Item) -> bool:
        """Whether a function in a namespace has a parameter of a type of that namespace."""
        scope, depth = _plain(item.scope), 0
        if not scope or not (item.is_device or item.inner in ("device", "prototype")):
            return False
        for k in range(item.at + 1, item.end):
            value = self.tokens[k].value
            depth += (value == "(") - (value == ")")
            if depth == 0:
                return False
            if value in self.types.get(scope, ()):
                return True
        return False

    def _unqualified(self, items: Sequence[Item], at: int, scope: Scope, user: Item | None) -> list[Item]:
        """Return what an unqualified name denotes in an item of a namespace; without one, in a namespace."""
        name = self.tokens[at].value
        blocks = list(_blocks(self.tokens, user, at)) if user is not None else []
        for block in blocks:
            named = [one for one in block if one.name == name]
            if named:
                return [i for one in named for i in self._qualified(items, one.target, scope, at)]
        directives = [one for block in blocks for one in block if not one.name]
        for depth in range(len(scope), -1, -1):
            if inner := self._within(items, name, scope[:depth], scope, directives, at):
                return inner
        return []

    def _qualified(self, items: Sequence[Item], path: Scope, scope: Scope, at: int) -> list[Item]:
        """Return the items of a namespace that is named from a scope; of its directives, if it has none."""
        space = self._resolved(path, scope)
        if space is None:  # of a class, or of an enumeration
            return [i for i in items if _plain(i.scope)[-len(path) :] == path]
        inner = [i for i in items if _plain(i.scope) == space]
        inner += self._declared(items, self.tokens[at].value, space, at)
        return inner or [i for i in items if _plain(i.scope) in self._nominated([space], at)]

    def _within(
        self, items: Sequence[Item], name: str, space: Scope, user: Scope, local: Sequence[Using], at: int
    ) -> list[Item]:
        """Return the items that count as declared in a namespace around the user."""
        inner = [i for i in items if _plain(i.scope) == space]
        inner += self._declared(items, name, space, at)
        around = [
            one
            for one in self.outside
            if one.at < at and not one.name and user[: len(one.scope)] == one.scope
        ]
        for one in (*local, *around):
            from_ = user if one in local else one.scope
            target = self._resolved(one.target, from_)
            if target is None:
                continue
            for nominated in {target, *self._nominated([target], at)}:
                if _common(from_, nominated) == space:
                    inner += [i for i in items if _plain(i.scope) == nominated and i not in inner]
        return inner

    def _declared(self, items: Sequence[Item], name: str, space: Scope, at: int) -> list[Item]:
        """Return what using-declarations before a place declare in a namespace."""
        here = [one for one in self.outside if one.at < at and one.name == name and one.scope == space]
        return [i for one in here for i in items if _plain(i.scope) == self._resolved(one.target, one.scope)]

    def _nominated(self, spaces: Iterable[Scope], at: int) -> set[Scope]:
        """Return the namespaces that directives in these name, and those in them."""
        found: set[Scope] = set()
        todo = list(spaces)
        while todo:
            space = todo.pop()
            for one in self.outside:
                target = self._resolved(one.target, space) if one.scope == space and not one.name else None
                if target is not None and one.at < at and target not in found:
                    found.add(target)
                    todo.append(target)
        return found

    def _resolved(self, path: Scope, scope: Scope) -> Scope | None:
        """Return the namespace that a path denotes in a scope; None if it is none of the file."""
        spaces = (scope[:depth] + path for depth in range(len(scope), -1, -1))
        return next((space for space in spaces if space in self.scopes), None)


def namespaces_around(item: Item) -> Scope:
    """Return the namespaces of an item; a scoped enumeration is itself the scope of its names."""
    is_scoped = item.kind == "enum" and not item.words.isdisjoint(("class", "struct"))
    return item.scope[:-1] if is_scoped else item.scope


def _plain(scope: Scope) -> Scope:
    """Return a scope without inline namespaces, whose names are also their parents'."""
    return tuple(name for name in scope if not isinstance(name, Inline))


def _common(one: Scope, other: Scope) -> Scope:
    k = 0
    while k < min(len(one), len(other)) and one[k] == other[k]:
        k += 1
    return one[:k]


def _using(tokens: Sequence[Lexeme], at: int, scope: Scope) -> Using | None:
    """Return the directive or declaration that begins at a token."""
    if tokens[at].value != "using":
        return None
    end = next((k for k in range(at, len(tokens)) if tokens[k].value in (";", "=")), at)
    words = [t.value for t in tokens[at + 1 : end] if t.type == ID and t.value != "typename"]
    if tokens[end].value != ";" or not words:
        return None
    if words[0] == "namespace":
        return Using(at, scope, tuple(words[1:]))
    return Using(at, scope, tuple(words[:-1]), words[-1])


def _blocks(tokens: Sequence[Lexeme], user: Item, at: int) -> Iterator[list[Using]]:
    """Yield what the blocks of a function around a place say before it, from the inside out."""
    blocks: list[list[Using]] = [[]]
    for k in range(user.first, at):
        if tokens[k].value == "{":
            blocks.append([])
        elif tokens[k].value == "}" and len(blocks) > 1:
            blocks.pop()
        elif (found := _using(tokens, k, ())) is not None:
            blocks[-1].append(found)
    yield from reversed(blocks)
