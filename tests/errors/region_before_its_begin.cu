extern "C" __global__ void kernel(const float *x, const int *order, float *y, int n)
{
    extern __shared__ int place[];
    float *middle = (float *)&place[blockDim.x + 1];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    place[t] = order[t];
    middle[t] = i < n ? x[i] : 0.0f;
    if (t == 0)
        middle[-1] = i > 0 ? x[i - 1] : 0.0f;
//      ^^^^^^^^^^ dynamic-shared: could not prove that `middle[-1]` is not before the beginning of the array
    __syncthreads();
    if (i < n)
        y[i] = middle[t - 1] * middle[place[t]];
}
