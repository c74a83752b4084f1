// Predators and prey (Lotka-Volterra) by the classical Runge-Kutta method, one ecosystem per thread.
__device__ float prey_growth(float prey, float predators, float birth, float eaten)
{
    return prey * (birth - eaten * predators);
}

__device__ float predator_growth(float prey, float predators, float gain, float death)
{
    return predators * (gain * prey - death);
}

// s2sad: --of population --wrt population,rate
extern "C" __global__ void lotka_volterra(float *population, const float *rate, float dt, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    float prey = population[2 * i];
    float pred = population[2 * i + 1];
    float birth = rate[0], eaten = rate[1], gain = rate[2], death = rate[3];

    for (int s = 0; s < steps; ++s) {
        float a1 = prey_growth(prey, pred, birth, eaten);
        float b1 = predator_growth(prey, pred, gain, death);
        float a2 = prey_growth(prey + 0.5f * dt * a1, pred + 0.5f * dt * b1, birth, eaten);
        float b2 = predator_growth(prey + 0.5f * dt * a1, pred + 0.5f * dt * b1, gain, death);
        float a3 = prey_growth(prey + 0.5f * dt * a2, pred + 0.5f * dt * b2, birth, eaten);
        float b3 = predator_growth(prey + 0.5f * dt * a2, pred + 0.5f * dt * b2, gain, death);
        float a4 = prey_growth(prey + dt * a3, pred + dt * b3, birth, eaten);
        float b4 = predator_growth(prey + dt * a3, pred + dt * b3, gain, death);
        prey += dt / 6.0f * (a1 + 2.0f * a2 + 2.0f * a3 + a4);
        pred += dt / 6.0f * (b1 + 2.0f * b2 + 2.0f * b3 + b4);
    }

    population[2 * i] = prey;
    population[2 * i + 1] = pred;
}
