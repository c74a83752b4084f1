"""Drop records that nobody reads, and the tests of their bounds."""

from __future__ import annotations

from collections.abc import Container

from ....ir import Body, If, Place, Record, Stmt, Sym, rebuilt


def without_records(body: Body, unread: Container[Sym]) -> Body:
    """The body without what writes to some tapes, the tests of their bounds included."""
    out: list[Stmt] = []
    for stmt in body:
        match stmt:
            case Record(Place(sym)) | If(_, (Record(Place(sym)),)) if sym in unread:
                continue
            case _:
                out.append(rebuilt(stmt, lambda b: without_records(b, unread)))
    return tuple(out)
