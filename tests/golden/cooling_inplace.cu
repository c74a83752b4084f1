// s2sad: --of T --wrt T,k,ambient
// Every thread steps its own element in place, as often as the caller says.
extern "C" __global__ void cooling_inplace(float *T, const float *k, float ambient, float dt, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int s = 0; s < steps; ++s)
        T[i] = T[i] - dt * k[i] * (T[i] - ambient) * (T[i] - ambient);
}
