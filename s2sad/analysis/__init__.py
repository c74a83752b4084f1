"""Facts about a kernel: bases, then loops, threads, integers, accesses; at last what needs a record."""
