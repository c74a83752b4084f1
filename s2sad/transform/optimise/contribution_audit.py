"""Audit of the contributions to adjoints: a rewrite must neither lose nor duplicate one.

    for (int k = 0; k < 8; ++k) {                    for (int k = 0; k < 8; ++k)
        atomicAdd(&adj_tile[k], v * g);   s1             adj_tile_sum += v_tile[k] * g_tile[k];   s1
        if (v >= 0.1f)                          ->
            adj_v += tile[k] * g;         s2         lost: s2, which was to reach adj_y
    }

Each statement that adds to, scales or clears an adjoint has a `Site` from when it is built.
Rewrites keep it with the statement, however that is transformed, and merge the sites of
merged statements. After each rewrite that moves sums, every site must still be in the body, and
must still reach each of the caller's arrays that it reached before, at most as often as before.
"Reach" is determined by symbols alone, in any order of statements: a value goes into adj_v,
which goes into adj_y.

A failed audit is an internal error, and no text is emitted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from ...ir import (
    Accumulate,
    Array,
    Assign,
    Block,
    Body,
    Clear,
    Declare,
    DoWhile,
    For,
    Place,
    Pointer,
    Return,
    Scalar,
    Site,
    Stmt,
    Sym,
    While,
    bodies,
    expressions,
    rebuilt,
    statements,
)
from ...ir import If as Branch
from ...ir import Switch as Cases
from ...irtext import brief
from ..common.mod_ref import written
from ..common.symbol_uses import begun

RESULT = Sym("return", Pointer(Scalar("void", "void", 0)))
"""Stands for a function's returned value."""


class Unaccounted(Exception):
    """A rewrite lost or duplicated a contribution to an adjoint: an internal error."""


def sum_of_sites(target: Place) -> tuple[Site, ...]:
    """The site of a new sum of contributions that keep their own sites."""
    return (Site(None, target),)


def accounted(
    name: str,
    before: Body,
    after: Body,
    gone: Iterable[Site] = (),
    again: bool = False,
    fewer: Container[Sym] = (),
) -> Body:
    """Return a rewritten body if each contribution is accounted for. Raises Unaccounted.

    `gone`: the sites that the rewrite declares as merged into others. `again`: it recomputes locals
    for each sum that needs them; from then on these are separate contributions. `fewer`: the arrays that
    contributions don't reach, though symbols say so; they must still be in the body.
    """
    if after == before:  # statements compare by identity
        return after
    left, right = _account(before), _account(after)
    known = set(gone)
    standing = {site for site, _ in right}
    # report sites that are gone before those that no longer reach an array
    for (site, array), was in sorted(left.items(), key=lambda entry: entry[0][0] in standing):
        now = right.get((site, array), _NONE)
        if not now.times and site not in known and not (array in fewer and site in standing):
            raise Unaccounted(f"{name} loses {_said(site)}, a contribution to {array.name}")
        if now.stored > max(was.stored, 1) or (now.times > was.times and not again):
            raise Unaccounted(f"{name} makes {_said(site)} twice, a contribution to {array.name}")
    stood = {site for site, _ in left}
    for (site, array), now in right.items():  # the sums that the rewrite adds
        new = site.stmt is None and site not in stood
        if new and (now.stored > 1 or (now.times > 1 and not again)):
            raise Unaccounted(f"{name} makes {_said(site)} twice, a contribution to {array.name}")
    return _apart(after, set(), set()) if again else after


def _apart(body: Body, seen: set[Site], stood: set[Stmt]) -> Body:
    """The body with a new site for each repeated one, and no statement object in two places."""
    out: list[Stmt] = []
    for stmt in body:
        match stmt:
            case Accumulate() | Assign() | Clear() | Declare() if not seen.isdisjoint(stmt.sites):
                stmt = replace(stmt, sites=tuple(replace(s) if s in seen else s for s in stmt.sites))
                seen.update(stmt.sites)
            case Accumulate() | Assign() | Clear() | Declare():
                seen.update(stmt.sites)
            case _:
                stmt = rebuilt(stmt, lambda b: _apart(b, seen, stood))
        out.append(replace(stmt) if stmt in stood else stmt)
        stood.add(stmt)
    return tuple(out)


def stored(name: str, before: Body, after: Body) -> Body:
    """Like `accounted`, but only for contributions directly to the caller's arrays: locals may be merged."""
    if after == before:  # statements compare by identity
        return after
    left, right = _account(before), _account(after)
    for (site, array), was in left.items():
        now = right.get((site, array), _NONE)
        if was.stored and not now.times:
            raise Unaccounted(f"{name} loses {_said(site)}, a contribution to {array.name}")
        if now.stored > max(was.stored, 1):
            raise Unaccounted(f"{name} makes {_said(site)} twice, a contribution to {array.name}")
    return after


def _said(site: Site) -> str:
    span = getattr(site.stmt, "span", None)
    where = f"line {span.line}, " if span is not None else ""
    return f"{where}{brief(site.place)}"


@dataclass(frozen=True)
class _Entry:
    """How often a contribution to an array occurs in a body, and how often as an addition to the array."""

    times: int = 0
    stored: int = 0


_NONE = _Entry()
_Entries = dict[tuple[Site, Sym], _Entry]


@lru_cache(maxsize=4)  # a rewrite's result is the next one's input
def _account(body: Body) -> _Entries:
    """How often each contribution to each of the caller's arrays occurs in a body."""
    reached = _reached(body)

    def of(body: Body) -> _Entries:
        """The same for a part; for alternative branches, the maximum."""
        found: _Entries = {}
        for stmt in body:
            match stmt:
                case Accumulate() | Assign() | Clear() | Declare():
                    inner = own(stmt) if stmt.sites else None
                case Branch() | Cases():
                    inner = _most(map(of, bodies(stmt)))
                case For() | While() | DoWhile() | Block():
                    inner = {}
                    for part in bodies(stmt):
                        _add(inner, of(part))
                case _:
                    inner = None
            if inner:
                _add(found, inner)
        return found

    def own(stmt: Accumulate | Assign | Clear | Declare) -> _Entries:
        sym = stmt.sym if isinstance(stmt, Declare) else stmt.target.sym
        arrays = reached.get(sym, ())
        return {(site, array): _Entry(1, int(array is sym)) for site in stmt.sites for array in arrays}

    return of(body)


def _add(whole: _Entries, some: _Entries) -> None:
    """Add the entries of a part to those of the whole, in place: bodies have many statements."""
    for key, entry in some.items():
        was = whole.get(key)
        whole[key] = entry if was is None else _Entry(was.times + entry.times, was.stored + entry.stored)


def _most(entries: Iterable[_Entries]) -> _Entries:
    whole: _Entries = {}
    for some in entries:
        for key, entry in some.items():
            was = whole.get(key, _NONE)
            whole[key] = _Entry(max(was.times, entry.times), max(was.stored, entry.stored))
    return whole


def _reached(body: Body) -> Mapping[Sym, tuple[Sym, ...]]:
    """The caller's arrays that each variable's value goes into, by symbols."""
    sources: dict[Sym, set[Sym]] = defaultdict(set)
    for stmt in statements(body):
        sinks = set(written(stmt)) if not bodies(stmt) else set()
        if (sym := begun(stmt)) is not None:
            sinks.add(sym)
        if isinstance(stmt, Return):
            sinks.add(RESULT)
        if sinks:
            read = {s for e in expressions(stmt) for s in e.symbols if _real(s)}
            for sink in sinks:
                sources[sink] |= read
    found: dict[Sym, list[Sym]] = defaultdict(list)
    for array in [s for s in sources if s is RESULT or _callers(s)]:
        seen, waiting = {array}, [array]
        while waiting:
            sym = waiting.pop()
            found[sym].append(array)
            new = sources.get(sym, set()) - seen
            seen |= new
            waiting += new
    return {sym: tuple(arrays) for sym, arrays in found.items()}


def _callers(sym: Sym) -> bool:
    return sym.storage in ("parameter", "global") and isinstance(sym.type, Pointer | Array)


def _real(sym: Sym) -> bool:
    match sym.type:
        case Scalar() as type:
            return type.is_float
        case Array(element=element):
            return element.is_float
        case Pointer(target=Scalar() as target):
            return target.is_float
        case _:
            return True
