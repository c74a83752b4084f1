struct Rng {
    unsigned s;
    __device__ float next()
    {
        s = s * 1664525u + 1013904223u;
        return (s >> 8) * (1.0f / 16777216.0f);
    }
};

extern "C" __global__ void kernel(const float *x, float *y, unsigned seed)
{
    Rng r{seed + threadIdx.x};
    y[threadIdx.x] = r.next() * x[0] - r.next() * x[1];
//                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ unsequenced-effects: C++17 allows either operand to be evaluated first
}
