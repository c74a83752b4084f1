"""A backend whose texts are names of Python functions, to test checks apart from compilers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from s2sad.signature import Argument, Signature
from s2sad.validate.launching import Pair

Kernel = Callable[..., None]


@dataclass
class FakeModule:
    kernels: Mapping[str, Kernel]
    tape: int = 0

    def launch(
        self,
        kernel: Signature,
        grid: Any,
        block: Any,
        args: Mapping[str, Any],
        shared_bytes: int = 0,
        *,
        order: Any = "forward",
        strict: bool = False,
    ) -> None:
        assert list(args) == [argument.name for argument in kernel.arguments]
        self.kernels[kernel.name](**args)

    def tape_bytes(self, kernel: Signature, grid: Any, block: Any, args: Mapping[str, Any]) -> int:
        return self.tape

    def shared_bytes(
        self, kernel: Signature, grid: Any, block: Any, args: Mapping[str, Any], shared_bytes: int = 0
    ) -> int:
        return shared_bytes


@dataclass
class FakeBackend:
    """Texts are looked up among the modules."""

    modules: Mapping[str, FakeModule]
    name: str = "fake"

    def compile(
        self,
        text: str,
        signatures: Sequence[Signature],
        *,
        real: str = "float",
        name: str = "",
        quick: bool = False,
    ) -> FakeModule:
        return self.modules[text]


def array(name: str, *, written: bool = False, type: str = "float") -> Argument:
    return Argument(name, type, pointer=True, const=not written, written=written)


def number(name: str, type: str = "int") -> Argument:
    return Argument(name, type, pointer=False)


def adjoint(of: str, use: Any, type: str = "float") -> Argument:
    return Argument(f"adj_{of}", type, pointer=True, const=use == "seed", role="adjoint", use=use, of=of)


def signatures(
    name: str,
    parameters: Sequence[Argument],
    adjoints: Sequence[Argument],
    *,
    of: Sequence[str],
    wrt: Sequence[str],
    tape: bool = False,
) -> tuple[Signature, Signature, Signature]:
    """Those of the primal, of its adjoint, and of K_fwd."""
    last = (Argument("tape", "char", pointer=True, role="tape", use="tape"),) if tape else ()
    both = [a for p in parameters for a in (p, *(a for a in adjoints if a.of == p.name))]
    return (
        Signature(name, tuple(parameters), tuple(of), tuple(wrt)),
        Signature(f"{name}_adj", (*both, *last), tuple(of), tuple(wrt), tape=tape),
        Signature(f"{name}_fwd", (*parameters, *last)),
    )


def pair(
    primal: Kernel,
    backward: Kernel,
    parameters: Sequence[Argument],
    adjoints: Sequence[Argument],
    *,
    of: Sequence[str],
    wrt: Sequence[str],
    forward: Kernel | None = None,
    tape: int | None = None,
) -> tuple[Pair, FakeBackend]:
    """A pair of Python functions as a pair of kernels, and the backend that runs them."""
    k, k_adj, k_fwd = signatures("k", parameters, adjoints, of=of, wrt=wrt, tape=tape is not None)
    kernels = {"k_adj": backward} | ({"k_fwd": forward} if forward else {})
    modules = {"primal": FakeModule({"k": primal}), "adjoint": FakeModule(kernels, tape or 0)}
    return Pair("primal", "adjoint", k, k_adj, k_fwd if forward else None), FakeBackend(modules)
