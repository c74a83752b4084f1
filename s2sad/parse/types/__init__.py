"""Types, constants and functions as C++17 and CUDA have them, whatever file is read."""
