// s2sad: --of force --wrt pos
// Softened gravity: a device function adds one body's pull to accumulators that it is given.
__device__ bool pull(const float *other, float x, float y, float &fx, float &fy)
{
    float dx = other[0] - x;
    float dy = other[1] - y;
    float d2 = dx * dx + dy * dy;
    if (d2 > 9.0f)
        return false;
    float inv = rsqrtf(d2 + 0.01f);
    float w = other[2] * inv * inv * inv;
    fx += w * dx;
    fy += w * dy;
    return true;
}

extern "C" __global__ void reference_nbody(const float *pos, float *force, int *near, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float *me = pos + 3 * i;
    float *f = &force[2 * i];
    float fx = 0.0f, fy = 0.0f;
    int count = 0;
    for (int j = 0; j < n; ++j)
        if (pull(pos + 3 * j, me[0], me[1], fx, fy))
            ++count;
    f[0] = me[2] * fx;
    f[1] = me[2] * fy;
    near[i] = count;
}
