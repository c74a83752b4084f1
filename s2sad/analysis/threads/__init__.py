"""What threads agree on, and where they meet: warps, blocks, barriers."""
