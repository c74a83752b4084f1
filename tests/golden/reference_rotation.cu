// s2sad: --of y --wrt x,angle
// Givens rotations of a small vector: references in and out, an element of global memory among them.
__device__ void rotate(float &u, float &v, float c, float s)
{
    float t = c * u - s * v;
    v = s * u + c * v;
    u = t;
}

extern "C" __global__ void reference_rotation(const float *x, const float *angle, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float p[3];
    for (int k = 0; k < 3; ++k) {
        const float &from = x[3 * i + k];
        p[k] = from * from;
    }
    float &first = p[0];
    float s, c;
    sincosf(angle[i], &s, &c);
    rotate(first, p[1], c, s);
    rotate(p[1], p[2], s, c);
    y[3 * i] = 0.5f * first;
    y[3 * i + 1] = p[1];
    y[3 * i + 2] = p[2];
    rotate(y[3 * i], y[3 * i + 1], c, first);
}
