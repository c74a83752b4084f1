// s2sad: --of y --wrt x,w
// A struct of pointers, made where it is declared and passed on by value: each pointer in it
// means one array for good, the numbers beside it are copies like any other.
struct View {
    const float *in;
    float *out;
    int stride;
    float scale;
};

__device__ float dot3(const float *a, const float *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

__device__ View halved(View view)
{
    view.scale *= 0.5f;
    return view;
}

__device__ float weighed(View view, const float *w, int i)
{
    const float *row = view.in + i * view.stride;
    return view.scale * dot3(row, w);
}

__device__ void put(View view, int i, float v)
{
    view.out[i] = v * view.scale + view.out[i];
}

__global__ void views(const float *x, const float *w, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    View whole = {x, y, 3, w[0]};
    View half = halved(whole);
    float v = weighed(whole, w, i) + dot3(half.in + 3 * i, half.in);
    put(half, i, v * v);
    whole.out[i] *= weighed(half, w + 1, i);
}
