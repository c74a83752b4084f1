"""All modules that answer a question about nodes; importing this one lets all of them be answered."""

from __future__ import annotations

from types import ModuleType

from . import (
    branches,
    calls,
    class_definitions,
    declarations,
    functions,
    inlining,
    lower_effects,
    lower_expr,
    lower_stmt,
    members,
    moving_pointers,
    names,
    operators,
    places,
    pointers,
    struct_operations,
    struct_types,
    structs,
    traits,
    views,
)

ANSWERING: tuple[ModuleType, ...] = (
    branches,
    calls,
    class_definitions,
    declarations,
    functions,
    inlining,
    lower_effects,
    lower_expr,
    lower_stmt,
    members,
    moving_pointers,
    names,
    operators,
    places,
    pointers,
    struct_operations,
    struct_types,
    structs,
    traits,
    views,
)
