// s2sad: --of when --wrt signal,level
// Search a row for the first crossing of a level; the break's iteration decides what is read.
extern "C" __global__ void first_crossing(const float *signal, const float *level, float *when, int rows, int length)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    float found = -1.0f;
    for (int t = 1; t < length; ++t) {
        float before = signal[r * length + t - 1];
        float after = signal[r * length + t];
        if (before < level[r] && after >= level[r]) {
            found = t - 1 + (level[r] - before) / (after - before);
            break;
        }
    }
    when[r] = found;
}
