"""Random kernels, judged by everything that `check` does and by the guarantees of the IR after each pass."""

import os

os.environ.setdefault("S2SAD_VERIFY", "1")  # read once, when s2sad.passes is imported
