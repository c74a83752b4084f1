__device__ float take(float *from)
{
    float v = *from;
    *from = 0.0f;
    return v;
}

template <typename T> __device__ T taken(T *from)
{
    return take(from);
}

extern "C" __global__ void kernel(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    float s[2] = {x[i], 1.0f};
    float *p = s;
    y[i] = take(s) + take(p + 1);
//         ^^^^^^^^^^^^^^^^^^^^^ unsequenced-effects: C++17 allows either operand to be evaluated first
    y[i] += taken<float>(s) + s[0];
//          ^^^^^^^^^^^^^^^^^^^^^^ unsequenced-effects: C++17 allows either operand to be evaluated first
    y[i + n] = *p++ + *p;
//             ^^^^^^^^^ unsequenced-effects: C++17 allows either operand to be evaluated first
}
