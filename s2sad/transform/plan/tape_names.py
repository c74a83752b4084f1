"""Names of the tapes: after the variable, and where it has several, after what tells them apart.

v = expf(x[i]);                 tape_v_exp       made by a function
v = tanhf(w[0] * v);            tape_v_tanh
v += v * v;                     tape_v_1         else numbered, in the order of the values
v *= v + 1;                     tape_v_2
for (int k = 0; k < 4; ++k)
    v *= w[k];                  tape_v_k[4]      one value per iteration
a[i] -= a[i - 1] * a[0];        tape_a_i, tape_a_i_minus_1, tape_a0

A variable with one tape has `tape_v`. The names are chosen together, so that none of several tapes has
the name that says nothing of it, unless the others say that it can't be theirs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...analysis.ssa import Loop, Version
from ...ir import Call, Place, Stmt, Sym, unconverted
from ...source import Span, joined
from ..common.adjoint_names import (
    as_written,
    called_name,
    element_name,
    loop_word,
    whole_element_name,
)


@dataclass(frozen=True)
class Wish:
    """What one tape may be called: `stem`; better names where other tapes have that too, and if those fail.

    An empty name stands for one that isn't to be had.
    """

    stem: str
    better: tuple[str, ...] = ()
    last: tuple[str, ...] = ()


def wish_for(
    sym: Sym,
    loops: Sequence[Loop] = (),
    *,
    place: Place | None = None,
    made: Version | None = None,
    stmt: Stmt | None = None,
    prefix: str = "tape",
) -> Wish:
    """Return the names of a variable's tape, of an element's or of a version's, recorded in these loops."""
    pointer, element = as_written(place) if place is not None and sym is place.sym else ("", "")
    stem = f"{prefix}_{pointer or sym.plain}"
    better = longer_tapes(sym, prefix)
    last = [stem]
    if place is not None:
        better += [joined(stem, element) or ("" if pointer else element_name(stem, place))]
        better += ["" if pointer else whole_element_name(stem, place)]
        last.append(better[-2])
    words = [word for loop in loops if (word := loop_word(loop)) != "loop"]
    better += ["_".join((stem, *words[k:])) for k in reversed(range(len(words)))]
    if made is not None:
        stmt = made.stmt
        if made.made is not None and isinstance(call := unconverted(made.made[1]), Call):
            better.append(f"{stem}_{called_name(call)}")
    span: Span | None = getattr(stmt, "span", None)
    if place is not None and (span is None or span.call is None):
        span = place.span or span
    return Wish(stem, tuple("" if name == stem else name for name in better), with_target(last, span))


def with_target(names: Iterable[str], span: Span | None) -> tuple[str, ...]:
    """Return names with the variable that the statement assigns, if that says anything."""
    target = span.target if span is not None else ""
    return tuple(f"{name}_{target}" for name in names if name and target and not name.endswith(f"_{target}"))


def longer_tapes(sym: Sym, prefix: str = "tape") -> list[str]:
    """Return the names of a variable's tapes after the longer names of the variable."""
    return [f"{prefix}_{other.replace('.', '_')}" for other in sym.otherwise]


def chosen(wishes: Sequence[Wish], taken: Iterable[str]) -> list[str]:
    """Return a name for each wish, all different and none of those that are taken."""
    names: dict[int, str] = {}
    used = set(taken)
    groups: dict[str, list[int]] = {}
    for k, wish in enumerate(wishes):
        groups.setdefault(wish.stem, []).append(k)
    for group in groups.values():
        for k, name in _told_apart({k: wishes[k] for k in group}, used).items():
            names[k] = name
            used.add(name)
    return [names[k] for k in range(len(wishes))]


def _told_apart(group: dict[int, Wish], used: Collection[str]) -> dict[int, str]:
    """Name the tapes of one variable, by the first of their better names that no other one has."""
    found: dict[int, str] = {}

    def keep_stem(candidates: list[int]) -> None:
        """Give the name that says nothing to the only one that has no other."""
        if len(candidates) == 1 and group[candidates[0]].stem not in {*used, *found.values()}:
            found[candidates[0]] = group[candidates[0]].stem

    keep_stem([k for k, wish in group.items() if not any(wish.better) or len(group) == 1])
    found |= _distinct({k: wish.better for k, wish in group.items()}, found, used)
    keep_stem([k for k in group if k not in found])
    found |= _distinct({k: wish.last for k, wish in group.items()}, found, used)
    left = [k for k in group if k not in found]
    keep_stem(left)
    for number, k in enumerate(left, 1):
        if k not in found:
            found[k] = free_name((f"{group[k].stem}_{number}",), {*used, *found.values()})
    return found


def _distinct(
    wishes: Mapping[int, tuple[str, ...]], found: Mapping[int, str], used: Collection[str]
) -> dict[int, str]:
    """Return the first names that only one of those that have none yet wishes for."""
    new: dict[int, str] = {}
    for rank in range(max(map(len, wishes.values()), default=0)):
        left = {k: names[rank] for k, names in wishes.items() if rank < len(names) and names[rank]}
        left = {k: name for k, name in left.items() if k not in found and k not in new}
        shared = Counter(left.values())
        gone = {*used, *found.values(), *new.values()}
        new |= {k: name for k, name in left.items() if shared[name] == 1 and name not in gone}
    return new


def free_name(names: Sequence[str], used: Collection[str]) -> str:
    """Return the first of the names that isn't in use, else the first of them with a number."""
    count = 2
    for name in names:
        if name not in used:
            return name
    while f"{names[0]}_{count}" in used:
        count += 1
    return f"{names[0]}_{count}"
