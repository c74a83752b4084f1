"""Drop records that nobody reads, and the tests of their bounds."""

from __future__ import annotations

from collections.abc import Container

from ....ir import Body, If, Place, Record, Stmt, Sym, substituted


def without_records(body: Body, unread: Container[Sym]) -> Body:
    """The body without what writes to some tapes, the tests of their bounds included."""

    def change(stmt: Stmt) -> Body | None:
        match stmt:
            case Record(Place(sym)) | If(_, (Record(Place(sym)),)) if sym in unread:
                return ()
            case _:
                return None

    return substituted(body, change)
