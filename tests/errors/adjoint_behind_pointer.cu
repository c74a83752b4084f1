// s2sad: --of y --wrt x --assume injective:b
struct Buffer {
    float *v;
    int n;
};

__global__ void scale(Buffer *b, const float *x, float *y)
//                    ^^^^^^^^^ not-supported: not differentiated yet
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < b->n) {
        b->v[i] = x[i];
        y[i] = x[i] * b->v[i];
    }
}
