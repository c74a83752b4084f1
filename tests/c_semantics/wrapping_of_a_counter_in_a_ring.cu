// [basic.fundamental]: a head that goes round a ring by a mask.
extern "C" __global__ void wrapping_of_a_counter_in_a_ring(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    float ring[4] = {s, x[1], x[2], x[3]};
    unsigned char head = 254;
    for (int k = 0; k < 6; ++k) {
        float t = ring[head & 3] * s;
        ring[++head & 3] += sinf(t);
        s = ring[(unsigned char)(head + 1) & 3] + 0.5f * t;
    }
    y[i] = s + ring[head & 3] * ring[3];
}
