"""Find the coordinates of threads and blocks that a kernel reads, or that distinguish threads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...ir import Assign, Call, Function, Pointer, Special, all_parts, statements
from ..symbolic.evaluation import Reader
from ..symbolic.polynomials import Atom
from ..threads.launch_width import witnesses


def _coordinates(reader: Reader) -> list[Atom]:
    return [
        reader.coordinate(name, axis)
        for name in ("threadIdx", "blockIdx")
        for axis in "xyz"
        if f"{name}.{axis}" not in reader.one
    ]


def telling_apart(kernel: Function, reader: Reader, seen: set[Atom]) -> list[Atom]:
    """Return the coordinates that distinguish two threads where both add atomically.

    Additions by two threads that do the same are no race, and count: so all coordinates, except
    those that the kernel doesn't read and a plain store shows to have extent one.
    """
    reach = witnesses(kernel)
    return [
        atom
        for atom in _coordinates(reader)
        if atom in seen or not ("launch" in reach or ("block" in reach and atom.name.startswith("threadIdx")))
    ]


def looked_at(kernel: Function, functions: Mapping[str, Function], reader: Reader) -> Iterable[Atom]:
    """Yield the coordinates that device functions read themselves; all of them if one is unknown."""
    everything = _coordinates(reader)
    todo, done = [kernel], set[str]()
    while todo:
        function = todo.pop()
        for expr in all_parts(*function.body):
            if isinstance(expr, Call) and expr.callee is not None and expr.callee not in done:
                done.add(expr.callee)
                if expr.callee in functions:
                    todo.append(functions[expr.callee])
                else:
                    yield from everything
            elif isinstance(expr, Special) and expr.name.endswith("Idx") and function is not kernel:
                yield from (a for a in everything if a.name == f"{expr.name}.{expr.axis}")


def in_one_row(kernel: Function, functions: Mapping[str, Function], reader: Reader) -> bool:
    """Whether a block's threads form one row: threads in other rows do the same, and would race.

    The header states that this is assumed of a kernel that stores anything.
    """
    exprs = (e for f in (kernel, *functions.values()) for e in all_parts(*f.body))
    looks = any(isinstance(e, Special) and e.name == "threadIdx" and e.axis in "yz" for e in exprs)
    one = {"threadIdx.y", "threadIdx.z"} <= reader.one
    stores = (t for s in statements(kernel.body) if isinstance(s, Assign) for t in (s.target,))
    return one or (not looks and any(t.index and isinstance(t.sym.type, Pointer) for t in stores))
