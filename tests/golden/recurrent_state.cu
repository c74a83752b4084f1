// s2sad: --of out --wrt in,W
// A small recurrent network for each thread: the state is a local array that the loop carries,
// a second one holds the new state until it is whole.
#define H 3

extern "C" __global__ void recurrent_state(const float *in, const float *W, float *out, int n, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float h[H] = {0.0f, 0.0f, 0.0f};
    for (int t = 0; t < steps; ++t) {
        float next[H];
        for (int r = 0; r < H; ++r) {
            float sum = in[(i * steps + t) * H + r];
            for (int c = 0; c < H; ++c)
                sum += W[r * H + c] * h[c];
            next[r] = tanhf(sum);
        }
        for (int r = 0; r < H; ++r)
            h[r] = next[r];
    }
    for (int r = 0; r < H; ++r)
        out[i * H + r] = h[r];
}
