// s2sad: --of ax,ay,az --wrt px,py,pz,m
#define SOFTENING 0.01f

// Gravity of all bodies on the one that the thread has.
extern "C" __global__ void nbody(const float *px, const float *py, const float *pz, const float *m,
                                 float *ax, float *ay, float *az, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sx = 0.0f, sy = 0.0f, sz = 0.0f;
    for (int j = 0; j < n; ++j) {
        float dx = px[j] - px[i];
        float dy = py[j] - py[i];
        float dz = pz[j] - pz[i];
        float inv = rsqrtf(dx * dx + dy * dy + dz * dz + SOFTENING);
        float s = m[j] * inv * inv * inv;
        sx += dx * s;
        sy += dy * s;
        sz += dz * s;
    }
    ax[i] = sx;
    ay[i] = sy;
    az[i] = sz;
}
