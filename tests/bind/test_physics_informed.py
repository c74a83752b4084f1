"""The loss on second derivatives in examples/physics_informed has PyTorch's value and gradient.

`tests/bindings.sh` runs this, in an environment with PyTorch. Elsewhere it is left out.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from example_kit import program

if TYPE_CHECKING:
    from torch import Tensor

pytestmark = [
    pytest.mark.bindings,
    pytest.mark.skipif(find_spec("torch") is None, reason="torch is missing: pip install 's2sad[torch]'"),
]


def torch_loss(train: Any, problem: Any, weights: Tensor) -> Tensor:
    """The same loss, with second derivatives by `torch.autograd.grad` of its results."""
    import torch

    hidden = train.HIDDEN
    first = weights[: 3 * hidden].reshape(hidden, 3)
    second = weights[3 * hidden : -hidden - 1].reshape(hidden, hidden + 1)
    last = weights[-hidden - 1 :]

    def network(x: Tensor, y: Tensor) -> Tensor:
        inner = torch.sin(torch.stack([x, y, torch.ones_like(x)], dim=1) @ first.T)
        return torch.sin(inner @ second[:, :-1].T + second[:, -1]) @ last[:-1] + last[-1]

    count = len(problem.force)
    x, y = (torch.tensor(axis[:count], requires_grad=True) for axis in (problem.x, problem.y))
    along = torch.autograd.grad(network(x, y).sum(), (x, y), create_graph=True)
    laplacian = sum(
        torch.autograd.grad(slope.sum(), axis, create_graph=True)[0]
        for slope, axis in zip(along, (x, y), strict=True)
    )
    wrong = laplacian + torch.tensor(problem.force)
    edge = network(torch.tensor(problem.border_x), torch.tensor(problem.border_y))
    return (wrong**2).mean() + train.BORDER * (edge**2).mean()


@pytest.mark.parametrize("steps", [0, 100])
def test_the_loss_and_its_gradient_are_those_of_torch(steps: int) -> None:
    import torch

    train = program("physics_informed/train.py")
    problem = train.Problem(8)
    *_, (_, weights) = train.train(problem, train.start(), steps)
    value, slope = problem.loss(weights)
    known = torch.tensor(weights, requires_grad=True)
    loss = torch_loss(train, problem, known)
    loss.backward()
    assert value == pytest.approx(loss.item(), rel=1e-10)
    assert known.grad is not None
    wanted = known.grad.numpy()
    np.testing.assert_allclose(slope, wanted, rtol=1e-10, atol=1e-10 * np.max(np.abs(wanted)))
