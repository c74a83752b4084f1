"""Facts about a kernel: the basics, then loops, threads, integers and accesses; last what needs a record."""
