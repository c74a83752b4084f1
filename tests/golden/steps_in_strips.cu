// s2sad: --of y,v --wrt x,k --tape-budget 2048
// A pendulum by the leapfrog method, for as many steps as the launch asks for: a state is kept every so many.
__global__ void steps_in_strips(const float *x, const float *k, float *y, float *v, float dt, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float angle = x[i], speed = 0.0f;
    for (int step = 0; step < steps; ++step) {
        speed -= 0.5f * dt * k[i] * sinf(angle);
        angle += dt * speed;
        speed -= 0.5f * dt * k[i] * sinf(angle);
    }
    y[i] = angle;
    v[i] = speed;
}
