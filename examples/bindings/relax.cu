// Simulation: relax each value in place towards the fixed point of a driven pendulum.
// s2sad: --of u --wrt u,w
// s2sad: launch grid=(n+127)/128 block=128 n=u.size w=u
extern "C" __global__ void relax(float *__restrict__ u, const float *__restrict__ w, int n, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = u[i];
    for (int k = 0; k < steps; ++k)
        s += 0.25f * (w[i] * cosf(s) - s);
    u[i] = s;
}
