// References to a number that something else changes: `v *= v.x`, an argument given twice, an element that a view stores.
// s2sad: --of y,z --wrt x,z
struct Pair {
    float x, y;

    __device__ Pair &operator*=(const float &s)
    {
        x *= s;
        y *= s;
        return *this;
    }
};

struct View {
    float *at;
};

__device__ float3 both(const float &a, float &b)
{
    b = a * a;
    return make_float3(a, b, a * b);
}

__device__ float3 stored(View v, int i, const float &a, float w)
{
    v.at[i] = w * a;
    return make_float3(a, w, 0.0f);
}

extern "C" __global__ void same_number(const float *x, float *y, float *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Pair p;
        p.x = x[i];
        p.y = 1.0f - x[i];
        p *= p.x;

        float v = x[i] + 0.5f;
        float3 q = both(v, v);

        z[i] += 3.0f * x[i];
        View view = {z};
        float3 r = stored(view, i, z[i], z[i]);
        y[i] = p.x + p.y * q.y + q.x * q.z + r.x * r.y;
    }
}
