// Heat in rods, one thread for each: explicit steps in place, then radiation at the far end.
// s2sad: --of u --wrt u,kappa
extern "C" __global__ void heat(float *u, const float *kappa, int rods, int points, int steps)
{
    int rod = blockIdx.x * blockDim.x + threadIdx.x;
    if (rod >= rods || points < 3)
        return;

    for (int s = 0; s < steps; ++s) {
        float left = u[rod * points];
        for (int p = 1; p < points - 1; ++p) {
            float here = u[rod * points + p];
            float right = u[rod * points + p + 1];
            u[rod * points + p] = here + kappa[p] * (left - 2.0f * here + right);
            left = here;
        }
        float end = u[rod * points + points - 1];
        u[rod * points + points - 1] = end - 0.01f * end * end * end * end;
    }
}
