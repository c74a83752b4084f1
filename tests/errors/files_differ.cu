// command: --include tests/errors/files_differ.cuh
#include "files_differ.h"

__device__ float ahead(float v);

extern "C" __global__ void advance(const float *x, float *y)
{
    y[threadIdx.x] = STEP * ahead(x[threadIdx.x]);
}
// in another file: files-differ: included by both
