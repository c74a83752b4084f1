"""A kernel of pycuda whose lines are strings in one expression, with the line ends as escapes."""

from pycuda.compiler import SourceModule

SQUASH = "__device__ float squash(float v)\n{\n\treturn v / (1.0f + fabsf(v));\n}\n"
module = SourceModule(
    SQUASH
    + "#define SLOPE \\\n    0.5f\n"
    "__global__ void layer(const float *w, const float *x, float *y, int n)\n"
    "{\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n)\n"
    '        y[i] = squash(w[i] * x[i]) + SLOPE * x[i];\n'
    "}\n"
)  # fmt: skip
