// s2sad: --of y --wrt x,adj_x
// The author uses our names: adj_x is a parameter, and g, tape_s, trips and block are locals.
extern "C" __global__ void names_taken(const float *x, const float *adj_x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float g = x[i] * adj_x[i];
    float tape_s = g * g;
    float s = tape_s;
    int trips = 0;
    for (int thread = 0; thread < 3; ++thread) {
        float g = s * x[i];
        s = sinf(g) * s + tape_s;
        while (s > 1.0f) {
            s = 0.5f * s + 0.2f * sinf(s);
            ++trips;
        }
    }
    float g2 = s * trips + g;
    y[i] = g2 * s;
}
