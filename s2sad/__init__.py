"""Source-to-source automatic differentiation for CUDA-C: readable, checked adjoint kernels.

The public names are in `api`, which is imported on use, so that `import s2sad` and the
command line start fast.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .version import VERSION as __version__

if TYPE_CHECKING:
    from .api import (
        Adjoint,
        Argument,
        BackendUnavailable,
        Chain,
        ChainResult,
        Diagnostic,
        Launch,
        Plan,
        Products,
        Rejected,
        Repeat,
        Report,
        Result,
        Signature,
        Swap,
        Tangent,
        Trace,
        audit,
        check,
        gradient,
        hessian,
        hvp,
        jacobian,
        jvp,
        trace,
        transform,
        vjp,
    )

__all__ = [
    "Adjoint",
    "Argument",
    "BackendUnavailable",
    "Chain",
    "ChainResult",
    "Diagnostic",
    "Launch",
    "Plan",
    "Products",
    "Rejected",
    "Repeat",
    "Report",
    "Result",
    "Signature",
    "Swap",
    "Tangent",
    "Trace",
    "__version__",
    "audit",
    "check",
    "gradient",
    "hessian",
    "hvp",
    "jacobian",
    "jvp",
    "trace",
    "transform",
    "vjp",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 's2sad' has no attribute {name!r}")
    from . import api

    return getattr(api, name)


def __dir__() -> list[str]:
    return sorted(__all__)


class _Package(ModuleType):
    """The package, in which `transform` stays the function.

    There is a folder of that name too, and importing a folder makes it an attribute
    of the package: without this class, `s2sad.transform` would then be the folder.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in __all__ and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
