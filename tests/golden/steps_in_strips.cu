// s2sad: --of y,v --wrt x,k --tape-budget 2048
// A pendulum with drag, for as many steps as the launch asks for: a state is kept every so many.
__global__ void steps_in_strips(const float *x, const float *k, float *y, float *v, float dt, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float angle = x[i], speed = 0.0f, stiff = k[i];
    for (int step = 0; step < steps; ++step) {
        speed -= dt * (stiff * sinf(angle) + 0.1f * speed * fabsf(speed));
        angle += dt * speed;
    }
    y[i] = angle;
    v[i] = speed;
}
