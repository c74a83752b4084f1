"""What all steps ask of statements, symbols and positions of threads."""
