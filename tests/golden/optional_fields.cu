// s2sad: --of p --wrt p
// Pointers in a struct by value: some may be null, one is walked along, all are seen through a const reference.
struct Layer {
    const float *x;
    const float *bias;
    float *y;
    float *trace;
    int n, taps, stride;
};
struct Launch {
    Layer layer;
    float scale;
};

__device__ float bias_of(const Layer &l, int i) { return l.bias ? l.bias[i] : 0.0f; }

__device__ float gate_of(Layer l, int i)
{
    if (!l.bias)
        return 1.0f;
    return l.bias[i];
}

extern "C" __global__ void optional_fields(Launch p)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const Layer &l = p.layer;
    if (i >= l.n)
        return;
    const float *at = &l.x[i * l.stride];
    float sum = 0.0f;
    for (int k = 0; k < l.taps; ++k) {
        sum += *at * *at;
        at += l.stride;
    }
    sum = p.scale * sum * gate_of(l, i) + bias_of(p.layer, i);
    if (l.bias != nullptr)
        sum *= l.bias[0];
    if (NULL != p.layer.trace)
        l.trace[i] = sum;
    l.y[i] = sinf(sum);
}
