// s2sad: --of y,trace --wrt x
// Null pointers passed to functions: what is asked of them is known where they are called.
template <typename T, bool WithTime>
__device__ void moved(T a, T b, T *at, T *speed, T *time)
{
    *at = a * b;
    *speed = sin(a) * b;
    if constexpr (WithTime)
        *time = a;
    if (time != nullptr)
        time[1] += a * b;
}

template <typename T>
__device__ void at_rest(T a, T b, T *at, T *speed)
{
    moved<T, false>(a, b, at, speed, nullptr);
}

__device__ float weighed(const float *w, float d)
{
    return w ? w[0] * d : d;
}

__device__ float2 turned(float2 v, float *trace, long place)
{
    float2 r = make_float2(v.x * v.y, v.x - v.y);
    if (trace != nullptr) {
        trace[place] = r.x;
        trace[place + 1] = r.y * r.y;
    }
    return r;
}

__global__ void paths(const float *x, float *trace, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float at, speed;
    at_rest<float>(x[i], x[i] * 2.0f, &at, &speed);
    float time[2] = {0.0f, 1.0f};
    moved<float, true>(at, speed, &at, &speed, time);
    float2 v = make_float2(at, speed);
    float own[2];
    v = turned(v, nullptr, 0);
    v = turned(v, trace != nullptr ? own : nullptr, 0);
    if (trace != nullptr)
        trace[i] = own[0] * own[1];
    y[i] = v.x * v.y + time[0] * time[1] + weighed(nullptr, v.x) * weighed(x + i, v.y);
}
