// s2sad: --of y --wrt place,weight
// Memory of the launch's size cut into integers and two arrays of structs, whose elements are assigned lists in braces.
struct Point {
    float x, y, mass;
};
struct Pair {
    float a, b;
};
extern "C" __global__ void batches_of_structs(const Point *place, const float *weight, const int *order, float *y, int n)
{
    constexpr unsigned shift = __builtin_ctz(4u);
    extern __shared__ char memory[];
    int *ids = (int *)memory;
    Point *points = reinterpret_cast<Point *>(&ids[blockDim.x]);
    Pair *pairs = reinterpret_cast<Pair *>(&points[blockDim.x]);
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    float sum = 0.0f;
    for (int begin = 0; begin < n; begin += blockDim.x) {
        __syncthreads();
        if (begin + t < n) {
            int g = order[begin + t];
            const Point p = place[g];
            ids[t] = g;
            points[t] = {p.x, p.y * p.mass, weight[g]};
            pairs[t] = {p.x * p.y};
        }
        __syncthreads();
        int count = min((int)blockDim.x, n - begin);
        for (int k = 0; k < count; ++k) {
            const Point q = points[k];
            float d = q.x - (float)(i >> shift);
            sum += q.mass * d * d * q.y + pairs[k].a * (float)(ids[k] + __builtin_popcount(i)) + pairs[k].b;
        }
    }
    if (i < n)
        y[i] = sum;
}
