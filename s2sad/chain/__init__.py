"""Chains of launches: gradients of whole simulations.

`chain.py` has the interface for users, `model.py` and `reading.py` what they write. `linking.py`
reads the kernels, `flow.py` decides what is differentiated and what is kept, `binomial.py` when;
`engine.py` runs it on a backend, `tangents.py` and `checking.py` check it, `program.py` writes it as
a host program.
"""

from __future__ import annotations

from .chain import Chain, ChainResult, LoopCount, Memory
from .model import Launch, Repeat, Swap

__all__ = ["Chain", "ChainResult", "Launch", "LoopCount", "Memory", "Repeat", "Swap"]
