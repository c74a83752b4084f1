"""Both modes and second derivatives through functions of JAX, against JAX's own derivatives.

`tests/bindings.sh` runs most of these, in an environment with JAX. Elsewhere they are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from bind_kit import ACC, FOLDER, SCALE, TWO, bound, run

Function = Callable[..., Any]

needs_jax = [
    pytest.mark.bindings,
    pytest.mark.skipif(find_spec("jax") is None, reason="jax is missing: pip install 's2sad[jax]'"),
]


# ---- texts -----------------------------------------------------------------------------------------


def test_kernels_of_further_derivatives_are_in_the_package(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = bound(capsys, ACC, tmp_path, "--jax", "--of", "p,v,energy", "--wrt", "p,v")
    names = sorted(path.name for path in made.glob("acc*.cu"))
    assert names == ["acc.cu", "acc_adj.cu", "acc_adj_tan.cu", "acc_ffi.cu", "acc_tan.cu"]
    assert 'FURTHER = {"acc_tan": "_tan", "acc_adj_tan": "_adj_tan"}' in (made / "engines.py").read_text()


def test_own_rules_leave_second_derivatives_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With another derivative than the true one, products from the left needn't be those from the right."""
    (tmp_path / "own.toml").write_text('[roundf]\nargs = "x"\ndx = "1"\n')
    text = SCALE.replace("a * x[i] * x[i]", "x[i] * roundf(x[i])")
    made = bound(capsys, text, tmp_path, "--jax", "--rules", str(tmp_path / "own.toml"))
    assert (made / "scale_tan.cu").exists()
    assert not (made / "scale_adj_tan.cu").exists()
    assert "needn't be symmetric" in (made / "functions.py").read_text()


# ---- values ----------------------------------------------------------------------------------------


class Bound:
    """A bound function of `inputs`, and the same in JAX."""

    def __init__(self, function: Function, native: Function, *inputs: Any) -> None:
        self.function, self.native, self.inputs = function, native, inputs


@pytest.fixture
def functions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[dict[str, Bound]]:
    """Functions of examples/bindings, in double precision."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("relax", "bias_gelu"):
        words = [str(FOLDER / f"{name}.cu"), "--jax", "-o", str(tmp_path / f"own_{name}")]
        status, said = run(capsys, *words)
        assert status == 0, said
    relax, gelu = import_module("own_relax"), import_module("own_bias_gelu")

    def relaxed(u: Any, w: Any) -> Any:
        for _ in range(3):
            u = u + 0.25 * (w * jnp.cos(u) - u)
        return u

    def tanh_gelu(x: Any, bias: Any) -> Any:
        v = x + bias
        return 0.5 * v * (1 + jnp.tanh(0.7978845608028654 * (v + 0.044715 * v**3)))

    with jax.enable_x64(True), import_module("own_relax.engines").exact():
        random = np.random.default_rng(1)

        def drawn(*shape: int) -> Any:
            return jnp.asarray(random.standard_normal(shape))

        yield {
            "gelu": Bound(gelu.bias_gelu, tanh_gelu, drawn(2, 3), drawn(3)),
            "relax": Bound(lambda u, w: relax.relax(u, w, 3), relaxed, drawn(4), drawn(4)),
        }


def _composed(name: str) -> Callable[[Function, tuple[Any, ...]], Any]:
    """Return a composition of JAX's transformations, by their names from outside to inside."""

    def call(f: Function, inputs: tuple[Any, ...]) -> Any:
        import jax

        for transform in reversed(name.split()):
            made = getattr(jax, transform)
            f = made(f) if transform in ("jit", "checkpoint") else made(f, (0, 1))
        return f(*inputs)

    return call


def _jvp(f: Function, inputs: tuple[Any, ...]) -> Any:
    import jax

    return jax.jvp(f, inputs, inputs)


def _along_one_alone(f: Function, inputs: tuple[Any, ...]) -> Any:
    import jax

    return jax.jvp(lambda first: f(first, inputs[1]), inputs[:1], inputs[:1])


def _linearized(f: Function, inputs: tuple[Any, ...]) -> Any:
    import jax

    value, along = jax.linearize(f, *inputs)
    return value, along(*inputs), jax.linear_transpose(along, *inputs)(value)


def _product(f: Function, inputs: tuple[Any, ...]) -> Any:
    import jax

    return jax.jvp(jax.jit(jax.grad(lambda *v: (f(*v) ** 2).sum(), (0, 1))), inputs, inputs)


def _scanned(f: Function, inputs: tuple[Any, ...]) -> Any:
    """Steps of a loop, each with the function, differentiated in both modes."""
    import jax

    def steps(*values: Any) -> Any:
        def step(first: Any, _: None) -> tuple[Any, None]:
            return f(first, values[1]), None

        return (jax.lax.scan(step, values[0], None, 3)[0] ** 2).sum()

    return jax.grad(steps, (0, 1))(*inputs), jax.jvp(jax.grad(steps), inputs, inputs)


def _batched(f: Function, inputs: tuple[Any, ...]) -> Any:
    import jax
    import jax.numpy as jnp

    many = jnp.stack([inputs[0], 2 * inputs[0]], axis=-1)

    def total(many: Any, other: Any) -> Any:
        return (jax.vmap(f, (-1, None))(many, other) ** 2).sum()

    own = (many, inputs[1])
    return jax.grad(total, (0, 1))(*own), jax.jvp(jax.grad(total), own, (many, many[..., 0]))


WAYS: dict[str, Callable[[Function, tuple[Any, ...]], Any]] = {
    "jvp": _jvp,
    "along one alone": _along_one_alone,
    "linearized": _linearized,
    "product": _product,
    "scanned": _scanned,
    **{
        name: _composed(name)
        for name in (
            *("jacrev", "jacfwd", "hessian", "jacrev jacrev", "jacrev jacfwd", "jit jacfwd", "jit hessian"),
            *("jacfwd jit", "jacrev checkpoint", "hessian checkpoint"),
        )
    },
}


class TestWithJax:
    pytestmark = needs_jax

    @pytest.mark.parametrize("way", WAYS)
    @pytest.mark.parametrize("name", ["gelu", "relax"])
    def test_derivatives_are_those_of_jax(self, name: str, way: str, functions: dict[str, Bound]) -> None:
        import jax

        one = functions[name]
        wanted, found = (jax.tree.leaves(WAYS[way](f, one.inputs)) for f in (one.native, one.function))
        _agree(found, wanted)

    def test_a_batch_is_differentiated(self, functions: dict[str, Bound]) -> None:
        import jax

        one = functions["relax"]
        wanted, found = (jax.tree.leaves(_batched(f, one.inputs)) for f in (one.native, one.function))
        _agree(found, wanted)

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
        self, ways: str, said: str, functions: dict[str, Bound]
    ) -> None:
        one = functions["relax"]
        with pytest.raises(NotImplementedError, match=said):
            _composed(ways)(one.function, one.inputs)

    def test_a_derivative_that_the_binding_has_not_is_refused(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """b isn't in --wrt: what is constant has no tangent, and no derivative by it is lost."""
        (tmp_path / "two.cu").write_text(TWO)
        words = ("--jax", "--of", "out", "--wrt", "a", "-o", str(tmp_path / "jax_two_of_a"))
        status, said = run(capsys, str(tmp_path / "two.cu"), *words)
        assert status == 0, said
        monkeypatch.syspath_prepend(str(tmp_path))
        import jax
        import jax.numpy as jnp

        two = import_module("jax_two_of_a").two
        a, b = jnp.ones((3, 4)), 2 * jnp.ones((3, 4))

        def total(a: Any, b: Any) -> Any:
            return two(a, b, 2.0, 0.5)[0].sum()

        def slope(b: Any) -> Any:
            return jax.grad(total)(a, b).sum()

        _agree([jax.hessian(total)(a, b).reshape(12, 12)], [8 * jnp.eye(12)])
        _agree([jax.grad(lambda a: two(a, b, 2.0, 0.5)[1].sum())(a)], [jnp.zeros((3, 4))])
        for lost in (
            lambda: jax.grad(total, 1)(a, b),
            lambda: jax.jvp(lambda b: total(a, b), (b,), (b,)),
            lambda: jax.grad(slope)(b),
            lambda: jax.jvp(slope, (b,), (b,)),
        ):
            with pytest.raises(ValueError, match="this binding has no gradient for it"):
                lost()

    def test_a_number_that_is_traced_is_refused(self, functions: dict[str, Bound]) -> None:
        import jax

        relax, one = import_module("own_relax").relax, functions["relax"]
        with pytest.raises(Exception, match=r"traced|[Tt]racer"):
            jax.jit(relax)(*one.inputs, 3)


def _agree(found: list[Any], wanted: list[Any]) -> None:
    import numpy as np

    for value, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(value, other, rtol=1e-9, atol=1e-12)
