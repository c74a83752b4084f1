"""Import all modules that register handlers for node classes, so that dispatch finds them."""

from __future__ import annotations

from types import ModuleType

from ..sema import class_definitions, type_traits
from . import (
    assignments,
    branches,
    callees,
    calls,
    declarations,
    expressions,
    functions,
    inline_calls,
    members,
    operators,
    statements,
    struct_operations,
    struct_types,
)
from .memory import lvalues, moving_pointers, names, pointers, struct_values, vector_views

ANSWERING: tuple[ModuleType, ...] = (
    assignments,
    branches,
    callees,
    calls,
    class_definitions,
    declarations,
    expressions,
    functions,
    inline_calls,
    lvalues,
    members,
    moving_pointers,
    names,
    operators,
    pointers,
    statements,
    struct_operations,
    struct_types,
    struct_values,
    type_traits,
    vector_views,
)
