typedef struct {
    float a, b;
} Pair;
struct Tag {
    Pair p;
};
extern "C" __global__ void struct_typedefs(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Pair p = {x[i], x[i + 1]};
    struct Tag t = {p};
    struct {
        float a;
    } q = {p.b};
    y[i] = t.p.a * q.a;
}
