// s2sad: --of out --wrt in,w
// Structs by value that hold pointers: each field has an adjoint of its own use.
struct Rows {
    const float *x;
    const int *start;
    float bias;
    int count;
};

struct Result {
    double *sum;
    float *largest;
    struct {
        float *squares;
        int stride;
    } kept;
};

__device__ float at(Rows rows, int row, int k)
{
    return rows.x[rows.start[row] + k] + rows.bias;
}

extern "C" __global__ void summed_rows(Rows in, Result out, const float *w, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    float total = 0.0f;
    for (int k = 0; k < in.count; ++k) {
        float v = at(in, row, k);
        out.kept.squares[row * out.kept.stride + k] = v * v;
        total += out.kept.squares[row * out.kept.stride + k] * w[k];
    }
    out.sum[row] = total;
    out.largest[row] *= total;
}
