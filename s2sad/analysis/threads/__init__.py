"""Facts on groups of threads: values uniform across warps and blocks, and barriers."""
