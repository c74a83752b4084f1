// A struct that a function declares for itself.
// s2sad: --of y --wrt x
template <typename T>
__device__ T spread(const T *x, int i, int n)
{
    struct Two {
        T low, high;
        __device__ T apart() const { return high - low; }
    };
    Two t = {x[i], x[(i + 1) % n]};
    return t.apart() * t.high * t.low;
}

extern "C" __global__ void local_structs(const float *x, float *y, int n)
{
    struct Term {
        float weight = 0.5f;
        float value[2];
    };
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Term terms[3];
    for (int k = 0; k < 3; k++) {
        terms[k].value[0] = x[i] * (k + 1);
        terms[k].value[1] = spread(x, i, n);
        terms[k].weight *= terms[k].value[0];
    }
    y[i] = terms[n % 3].weight * terms[2].value[1] + terms[1].weight * terms[n % 2].value[0];
}
