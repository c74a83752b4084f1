"""Types, constants and functions of C++17 and CUDA, whatever file is read."""
