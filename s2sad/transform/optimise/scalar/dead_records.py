"""Remove unread records, and the tests of their bounds."""

from __future__ import annotations

from collections.abc import Container

from ....ir import Body, If, Place, Record, Stmt, Sym, substituted


def without_records(body: Body, unread: Container[Sym]) -> Body:
    """The body without the records on some tapes, including the tests of their bounds."""

    def change(stmt: Stmt) -> Body | None:
        match stmt:
            case Record(Place(sym)) | If(_, (Record(Place(sym)),)) if sym in unread:
                return ()
            case _:
                return None

    return substituted(body, change)
