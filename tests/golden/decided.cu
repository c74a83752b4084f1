// s2sad: --of out --wrt x,scale --template KIND=LARGEST,SCALED=true
// What a template's arguments decide, and a literal in a call: of each choice one branch is left.
enum Kind { SUM, MEAN, LARGEST };

template <Kind KIND>
struct Fold {
    __device__ static float begin()
    {
        if (KIND == SUM || KIND == MEAN)
            return 0.0f;
        return -1e30f;
    }
    __device__ static void add(float *total, float v)
    {
        if (KIND == SUM)
            *total += v;
        else if (KIND == MEAN)
            *total += v;
        else if (KIND == LARGEST && v > *total)
            *total = v;
    }
    __device__ static void store(float *where, float total, int count)
    {
        if (KIND == SUM)
            atomicMax((int *)where, count);  // not looked at
        else
            *where = KIND == MEAN ? total / count : total;
    }
};

__device__ float3 weighed(float3 v, float s, bool squared)
{
    if (!squared)
        return make_float3(s * v.x, s * v.y, s * v.z);
    return make_float3(s * v.x * v.x, s * v.y * v.y, s * v.z * v.z);
}

template <Kind KIND, bool SCALED>
__global__ void fold(const float3 *x, const float *scale, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float total = Fold<KIND>::begin();
    for (int k = 0; k < 3; ++k) {
        float3 v = weighed(x[3 * i + k], SCALED ? scale[k] : 1.0f, true);
        Fold<KIND>::add(&total, v.x * v.y * v.z);
    }
    Fold<KIND>::store(&out[i], total, 3);
}
