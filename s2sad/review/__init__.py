"""The review page: one adjoint with its primal, its plan, its proofs and its check, as static HTML."""
