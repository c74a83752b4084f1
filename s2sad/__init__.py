"""Source-to-source automatic differentiation for CUDA-C: readable, checked adjoint kernels.

What is public is in `api`; it is imported on use, so that `import s2sad` and the
command line start fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .version import VERSION as __version__

if TYPE_CHECKING:
    from .api import (
        Adjoint,
        Argument,
        BackendUnavailable,
        Diagnostic,
        Plan,
        Rejected,
        Report,
        Result,
        Signature,
        check,
        gradient,
        jvp,
        transform,
    )

__all__ = [
    "Adjoint",
    "Argument",
    "BackendUnavailable",
    "Diagnostic",
    "Plan",
    "Rejected",
    "Report",
    "Result",
    "Signature",
    "__version__",
    "check",
    "gradient",
    "jvp",
    "transform",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 's2sad' has no attribute {name!r}")
    from . import api

    return getattr(api, name)


def __dir__() -> list[str]:
    return sorted(__all__)
