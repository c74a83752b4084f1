"""Which thread touches which element: access relations, lemmas on them, verdicts."""
