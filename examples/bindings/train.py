"""Train a small network whose activation is bias_gelu_torch, and print its loss.

    python train.py [LOSS.svg]        200 steps; the loss curve as a picture
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import torch
from bias_gelu_torch import bias_gelu
from torch import Tensor, nn

STEPS = 200


class Network(nn.Module):
    """Two linear layers, with a bias and a GELU between that one kernel computes."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.first = nn.Linear(1, width, bias=False)
        self.bias = nn.Parameter(torch.zeros(width))
        self.last = nn.Linear(width, 1)

    def forward(self, x: Tensor) -> Tensor:
        return self.last(bias_gelu(self.first(x), self.bias))


def train(steps: int = STEPS) -> list[float]:
    """Fit a sine with Adam, and return the loss of each step."""
    torch.manual_seed(0)
    x = torch.linspace(-3, 3, 128).unsqueeze(1)
    wanted = torch.sin(1.5 * x)
    network = Network()
    optimiser = torch.optim.Adam(network.parameters(), lr=0.03)
    losses = []
    for _ in range(steps):
        optimiser.zero_grad()
        loss = nn.functional.mse_loss(network(x), wanted)
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    return losses


def picture(losses: list[float]) -> str:
    """Draw the losses over the steps, with a logarithmic scale."""
    low, high = math.floor(math.log10(min(losses))), math.ceil(math.log10(max(losses)))
    places = [
        (60 + 520 * k / (len(losses) - 1), 20 + 240 * (high - math.log10(loss)) / (high - low))
        for k, loss in enumerate(losses)
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    marks = [(f"1e{p}", 20 + 240 * (high - p) / (high - low)) for p in range(low, high + 1)]
    ticks = "".join(
        f'<line x1="60" x2="580" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
        f'<text x="52" y="{y + 4:.1f}" text-anchor="end">{text}</text>'
        for text, y in marks
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 300" '
        'font-family="sans-serif" font-size="12">'
        f'<rect width="600" height="300" fill="white"/>{ticks}'
        f'<polyline points="{line}" fill="none" stroke="#1667b7" stroke-width="2"/>'
        f'<text x="60" y="282">step 0</text><text x="580" y="282" text-anchor="end">step {len(losses)}</text>'
        '<text x="320" y="282" text-anchor="middle">mean squared error</text></svg>\n'
    )


def main() -> None:
    losses = train()
    print(f"loss: {losses[0]:.3g} at first, {losses[-1]:.3g} after {len(losses)} steps")
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(picture(losses), encoding="utf-8")


if __name__ == "__main__":
    main()
