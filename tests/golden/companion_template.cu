// s2sad: --of total,y --wrt x --companion
// A template and its types in a companion: the instance is our own, the types are the file's.
typedef struct {
    float2 at;
    int id;
} Point;

__device__ float total[4];

__device__ inline float reach(Point p)
{
    return sqrtf(p.at.x * p.at.x + p.at.y * p.at.y + 1.0f);
}

template <class T, int N>
__global__ void gather_points(const Point *x, T *y, int n)
{
    __shared__ T part[N];
    int i = blockIdx.x * N + threadIdx.x;
    Point p = x[i < n ? i : n - 1];
    part[threadIdx.x] = i < n ? reach(p) : T(0);
    __syncthreads();
    T sum = 0;
    for (int k = 0; k < N; ++k)
        sum += part[k] * part[k];
    if (i < n) {
        y[i] = sum * p.at.x;
        atomicAdd(&total[p.id], part[threadIdx.x]);
    }
}

template __global__ void gather_points<float, 8>(const Point *, float *, int);
