"""One thread's own code: names, stores, calls."""
