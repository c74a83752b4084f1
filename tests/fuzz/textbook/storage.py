"""Where the data of a kernel are kept: each fragment works on any of these."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Storage:
    """How an element is spelled in the kernel, how it is declared, what is passed to functions.

    `parameter` and `inside` are a function's parameter and how it spells an element; where
    `parameter` is empty no function can have the data, as for columns.
    """

    name: str
    spelled: str
    declared: str = ""
    passed: str = ""
    shapes: tuple[tuple[str, str], ...] = ()  # a parameter of a function, and how it spells an element
    before: str = ""  # in front of the kernel
    row: bool = False  # an array in memory, named w


_POINTER = ("T *v", "v[{}]")
_FIXED = ("T (&v)[K]", "v[{}]")
_FLAT = ("T v[]", "v[{}]")
_DATA = "struct Data {\nT v[K];\nT acc;\n};"

STORAGES = (
    Storage("local", "v[{}]", "T v[K];", "v", (_POINTER, _FIXED, _FLAT, ("T v[K]", "v[{}]"))),
    Storage("row", "w[i * K + {}]", "", "w + i * K", (_POINTER, _FLAT), row=True),
    Storage(
        "pointer to a row", "own_row[{}]", "T *own_row = w + i * K;", "own_row", (_POINTER, _FLAT), row=True
    ),
    Storage(
        "address of a row",
        "own_row[{}]",
        "T *const own_row = &w[i * K];",
        "&own_row[0]",
        (_POINTER,),
        row=True,
    ),
    Storage("column", "w[{} * n + i]", row=True),
    Storage("shared column", "tile[{}][threadIdx.x]", "__shared__ T tile[K][4];"),
    Storage(
        "shared row",
        "tile[threadIdx.x][{}]",
        "__shared__ T tile[4][K];",
        "tile[threadIdx.x]",
        (_POINTER, _FIXED),
    ),
    Storage("flat shared column", "tile[{} * 4 + threadIdx.x]", "__shared__ T tile[4 * K];"),
    Storage(
        "flat shared row",
        "tile[threadIdx.x * K + {}]",
        "__shared__ T tile[4 * K];",
        "&tile[threadIdx.x * K]",
        (_POINTER,),
    ),
    Storage(
        "struct",
        "data.v[{}]",
        "Data data;",
        "data",
        (("Data &data", "data.v[{}]"),),
        before=_DATA,
    ),
    Storage(
        "struct by pointer",
        "data.v[{}]",
        "Data data;",
        "&data",
        (("Data *data", "data->v[{}]"),),
        before=_DATA,
    ),
    Storage("row of a table", "sheet[1][{}]", "T sheet[2][K];", "sheet[1]", (_POINTER, _FIXED)),
    Storage("reference to an array", "v[{}]", "T held_v[K];\nT (&v)[K] = held_v;", "v", (_POINTER, _FIXED)),
    Storage("part of an array", "v[{}]", "T room[K + 3];\nT *v = room + 2;", "v", (_POINTER,)),
    Storage("column of a table", "sheet[{}][1]", "T sheet[K][2];"),
    Storage("struct in an array", "pairs[{}].b", "struct Pair { T a; T b; };\nPair pairs[K];"),
)
