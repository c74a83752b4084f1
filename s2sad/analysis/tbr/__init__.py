"""To be recorded: what the reverse sweep needs, what must run forward for it, and what is recorded."""
