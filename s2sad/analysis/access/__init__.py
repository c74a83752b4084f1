"""Which thread accesses which element: access relations, lemmas on them, verdicts."""
