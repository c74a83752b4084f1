"""Forward mode, second derivatives and torch.func through operators, against PyTorch's own derivatives.

`tests/bindings.sh` runs most of these, in an environment with PyTorch. Elsewhere they are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from bind_kit import ACC, FOLDER, SCALE, TWO, bound, run

if TYPE_CHECKING:
    from torch import Tensor

    Function = Callable[..., Tensor]

needs_torch = [
    pytest.mark.bindings,
    pytest.mark.skipif(find_spec("torch") is None, reason="torch is missing: pip install 's2sad[torch]'"),
]

# Several threads may store an element of s, and double has no atomicExch: the adjoint is written with bits.
SHUFFLED = """\
// s2sad: launch grid=(n+31)/32 block=32 y=n
__global__ void shuffled(double *y, const double *x, int n)
{
    __shared__ double s[64];
    int t = threadIdx.x;
    s[t] = t < n ? x[t] : 0.0;
    s[t + 32] = 1.0;
    for (int h = 1; h < 64; h *= 2) {
        __syncthreads();
        int low = t & (h - 1);
        int i = (t - low) * 2 + low;
        double a = s[i], b = s[i + h];
        s[i] = a + b * b;
        s[i + h] = a - 0.5 * b;
    }
    __syncthreads();
    if (blockIdx.x * 32 + t < n)
        y[blockIdx.x * 32 + t] = s[t] * s[t + 32];
}
"""

# ---- texts -----------------------------------------------------------------------------------------


def test_kernels_of_further_derivatives_are_in_the_package(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = bound(capsys, ACC, tmp_path, "--torch", "--of", "p,v,energy", "--wrt", "p,v")
    names = sorted(path.name for path in made.glob("acc*.cu"))
    assert names == ["acc.cu", "acc_adj.cu", "acc_adj_tan.cu", "acc_host.cu", "acc_tan.cu"]
    host = (made / "acc_host.cu").read_text()
    assert 'm.def("acc_tan", &launch_acc_tan);' in host
    assert 'm.def("acc_adj_tan", &launch_acc_adj_tan);' in host


def test_what_has_no_second_derivatives_says_how_to_learn_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = bound(capsys, SHUFFLED, tmp_path, "--torch")
    assert not list(made.glob("*_adj_tan.cu"))
    assert len(list(made.glob("*_tan.cu"))) == 1
    text = (made / "operators.py").read_text()
    assert "shuffled has no second derivatives" in text
    assert "--mode second-order" in text


def test_own_rules_leave_second_derivatives_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With another derivative than the true one, products from the left needn't be those from the right."""
    (tmp_path / "own.toml").write_text('[roundf]\nargs = "x"\ndx = "1"\n')
    text = SCALE.replace("a * x[i] * x[i]", "x[i] * roundf(x[i])")
    made = bound(capsys, text, tmp_path, "--torch", "--rules", str(tmp_path / "own.toml"))
    assert (made / "scale_tan.cu").exists()
    assert not (made / "scale_adj_tan.cu").exists()
    assert "needn't be symmetric" in (made / "operators.py").read_text()


# ---- values ----------------------------------------------------------------------------------------


class Bound:
    """An operator of `inputs`, and the same in PyTorch."""

    def __init__(self, operator: Function, native: Function, *inputs: Tensor) -> None:
        self.operator, self.native, self.inputs = operator, native, inputs


@pytest.fixture
def operators(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Bound]]:
    """Operators of examples/bindings, in double precision."""
    import torch

    monkeypatch.syspath_prepend(str(FOLDER))
    relax, gelu = import_module("relax_torch"), import_module("bias_gelu_torch")
    torch.manual_seed(1)

    def relaxed(u: Tensor, w: Tensor) -> Tensor:
        for _ in range(3):
            u = u + 0.25 * (w * torch.cos(u) - u)
        return u

    def tanh_gelu(x: Tensor, bias: Tensor) -> Tensor:
        v = x + bias
        return 0.5 * v * (1 + torch.tanh(0.7978845608028654 * (v + 0.044715 * v**3)))

    def randn(*shape: int) -> Tensor:
        return torch.randn(*shape, dtype=torch.float64)

    u, w = randn(4), randn(4)
    with import_module("relax_torch.engines").exact():
        yield {
            "gelu": Bound(gelu.bias_gelu, tanh_gelu, randn(2, 3), randn(3)),
            "relax": Bound(lambda u, w: relax.relax(u, w, 3), relaxed, u, w),
            "relax_": Bound(lambda u, w: relax.relax_(u.clone(), w, 3), relaxed, u, w),
        }


def _double_backward(f: Function, inputs: tuple[Tensor, ...]) -> Any:
    import torch

    own = [value.clone().requires_grad_() for value in inputs]
    grads = torch.autograd.grad((f(*own) ** 2).sum(), own, create_graph=True)
    return torch.autograd.grad(sum((g * g).sum() for g in grads), own)


def _dual(f: Function, inputs: tuple[Tensor, ...]) -> tuple[list[Tensor], Any]:
    """Return inputs that require gradients, and the result for them with tangents, in an open level."""
    from torch.autograd import forward_ad

    own = [value.clone().requires_grad_() for value in inputs]
    return own, f(*(forward_ad.make_dual(value, 2 * value.detach()) for value in own))


def _reverse_over_forward(f: Function, inputs: tuple[Tensor, ...]) -> Any:
    import torch
    from torch.autograd import forward_ad

    with forward_ad.dual_level():
        own, result = _dual(f, inputs)
        return torch.autograd.grad((forward_ad.unpack_dual(result).tangent ** 2).sum(), own)


def _forward_over_reverse(f: Function, inputs: tuple[Tensor, ...]) -> Any:
    """Without create_graph: the backward isn't recorded, but the gradients have tangents."""
    import torch
    from torch.autograd import forward_ad

    with forward_ad.dual_level():
        own, result = _dual(f, inputs)
        grads = torch.autograd.grad((result**2).sum(), own)
        return [forward_ad.unpack_dual(g).tangent for g in grads]


def _without_grad(f: Function, inputs: tuple[Tensor, ...]) -> Any:
    import torch
    from torch.autograd import forward_ad

    with torch.no_grad(), forward_ad.dual_level():
        return forward_ad.unpack_dual(_dual(f, inputs)[1]).tangent


def _func(name: str) -> Callable[[Function, tuple[Tensor, ...]], Any]:
    """Return a composition of torch.func's transforms, by the names of these from outside to inside."""

    def call(f: Function, inputs: tuple[Tensor, ...]) -> Any:
        import torch

        for transform in reversed(name.split()):
            f = getattr(torch.func, transform)(f, (0, 1))
        return f(*inputs)

    return call


def _autograd_over_func(f: Function, inputs: tuple[Tensor, ...]) -> Any:
    import torch

    own = tuple(value.clone().requires_grad_() for value in inputs)
    grads = torch.func.grad(lambda *values: (f(*values) ** 2).sum(), (0, 1))(*own)
    return torch.autograd.grad(sum((g * g).sum() for g in grads), own)


def _compiled(f: Function, inputs: tuple[Tensor, ...]) -> Any:
    import torch

    def product(*values: Tensor) -> Any:
        return torch.func.jvp(torch.func.grad(lambda *v: (f(*v) ** 2).sum(), (0, 1)), values, values)

    return torch.compile(product, backend="aot_eager")(*inputs)


WAYS = {
    "double backward": _double_backward,
    "reverse over forward": _reverse_over_forward,
    "forward over reverse": _forward_over_reverse,
    "forward without grad": _without_grad,
    **{name: _func(name) for name in ("jacrev", "jacfwd", "hessian", "jacrev jacrev", "jacrev jacfwd")},
    "autograd over torch.func": _autograd_over_func,
    "compiled": _compiled,
}


class TestWithTorch:
    pytestmark = needs_torch

    @pytest.mark.parametrize("way", WAYS)
    @pytest.mark.parametrize("name", ["gelu", "relax", "relax_"])
    def test_derivatives_are_those_of_torch(self, name: str, way: str, operators: dict[str, Bound]) -> None:
        import torch

        one = operators[name]
        wanted = WAYS[way](one.native, one.inputs)
        if (name, way) == ("relax_", "double backward"):
            with pytest.raises(RuntimeError, match="u as it was at the call, and it was changed in place"):
                WAYS[way](one.operator, one.inputs)
            return
        found = WAYS[way](one.operator, one.inputs)
        leaves = torch.utils._pytree.tree_leaves
        for value, other in zip(leaves(found), leaves(wanted), strict=True):
            torch.testing.assert_close(value, other, rtol=1e-9, atol=1e-12)

    @pytest.mark.parametrize(
        ("ways", "said"),
        [
            ("jacfwd jacfwd", "relax has no second derivatives in forward mode twice"),
            ("jacrev jacrev jacrev", "relax has no third derivatives"),
            ("jacfwd jacrev jacrev", "relax has no third derivatives"),
            ("jacrev jacrev jacfwd", "relax has no third derivatives"),
        ],
    )
    def test_what_is_beyond_second_order_is_refused(
        self, ways: str, said: str, operators: dict[str, Bound]
    ) -> None:
        one = operators["relax"]
        with pytest.raises(NotImplementedError, match=said):
            _func(ways)(one.operator, one.inputs)

    def test_a_change_in_place_matters_for_second_derivatives_alone(
        self, operators: dict[str, Bound]
    ) -> None:
        import torch

        one = operators["relax"]
        u, w = one.inputs[0].clone(), one.inputs[1].clone().requires_grad_()
        y = one.operator(u, w)
        u.zero_()
        assert torch.autograd.grad(y.sum(), w, retain_graph=True)[0].abs().sum() > 0
        with pytest.raises(RuntimeError, match="u as it was at the call"):
            torch.autograd.grad(y.sum(), w, create_graph=True)

    def test_a_derivative_that_the_binding_has_not_is_refused(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """b isn't in --wrt: what is constant has no tangent, and no derivative by it is lost."""
        (tmp_path / "two.cu").write_text(TWO)
        words = ("--torch", "--of", "out", "--wrt", "a", "-o", str(tmp_path / "two_of_a"))
        status, said = run(capsys, str(tmp_path / "two.cu"), *words)
        assert status == 0, said
        monkeypatch.syspath_prepend(str(tmp_path))
        import torch
        from torch.func import grad, hessian, jvp

        two = import_module("two_of_a").two
        a, b = torch.randn(3, 4), torch.randn(3, 4)

        def total(a: Tensor, b: Tensor) -> Tensor:
            found: Tensor = two(a, b, 2.0, 0.5)[0].sum()
            return found

        def slope(b: Tensor) -> Tensor:
            found: Tensor = grad(total)(a, b).sum()
            return found

        curvature = hessian(total)(a, b).view(12, 12)
        torch.testing.assert_close(curvature, 8 * torch.eye(12))
        for lost in (
            lambda: grad(total, 1)(a, b),
            lambda: jvp(lambda b: total(a, b), (b,), (b,)),
            lambda: grad(slope)(b),
            lambda: jvp(slope, (b,), (b,)),
        ):
            with pytest.raises(RuntimeError, match="this binding has none for it"):
                lost()
