// s2sad: --of y --wrt x
// Iterations that complain: printf and assert are left out of the adjoint, and that is said.
#include <cassert>
#include <cstdio>

extern "C" __global__ void roots(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(blockDim.y == 1);
    if (i < n) {
        float r = 1.0f;
        for (int k = 0; k < 4; ++k) {
            r = 0.5f * (r + x[i] / r);
            if (!(r > 0.0f))
                printf("element %d: %f\n", i, r);
        }
        assert(r * r < 100.0f && "far off");
        y[i] = r;
    }
}
