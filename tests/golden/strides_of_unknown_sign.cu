// s2sad: --of y --wrt x,w
// Strides that are parameters, launch sizes and quotients of them: where nothing else ends the loop, they lead to its
// bound, and no sweep counts the iterations. Where a tape is as long as the loop, one does.
extern "C" __global__ void strides_of_unknown_sign(const float *x, const float *w, float *y, int n, int step, int low)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, wide = blockDim.x;
    int slots = (wide + 3) / 4;
    float rise = 0.5f, fall = 0.25f, kept = 1.0f;

    // one slot each iteration, by groups of four threads: as many as there are, though the last may be partial
    for (int row = t / 4; row < n; row += (gridDim.x * blockDim.x + 3) / 4)
        if (t % 4 == 0)
            y[row] = x[row] * x[row];

    for (int i = t; i < n; i += step)  // in order: `rise` is linear in itself
        rise = 0.5f * rise + w[0] * x[i];
    for (int i = n - 1 - t % 3; i >= low; i -= step)
        fall = 0.75f * fall + w[1] * x[i];
    for (int i = low; i <= t; i += step) {  // recorded
        kept = kept * (0.5f + x[i]);
        if (kept > 4.0f)
            kept = 0.5f;
    }
    for (int i = t; i < n; i += slots + step)  // in any order
        rise += w[2] * x[i];
    y[n + t] = rise * fall + kept;
}
