"""Find what a kernel reaches by name: the part of a file that is parsed."""
