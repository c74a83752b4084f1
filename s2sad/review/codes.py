"""What the comparison of two commits reports; all other codes are those of the check and of messages."""

FOUND = {
    "stale": "The adjoint in the repository isn't what s2sad writes for the kernel.",
    "adjoint-changed": "The adjoint of a kernel, or its plan, isn't what it was.",
    "not-checked": "A check couldn't run, for lack of a tool.",
}
