// s2sad: --of prey,predator --wrt prey,predator,alpha,beta,gamma,delta
extern "C" __global__ void lotka_volterra(float *prey, float *predator, float alpha, float beta, float gamma,
                                          float delta, float dt, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = prey[i], y = predator[i];
        for (int s = 0; s < steps; s++) {
            float dx = alpha * x - beta * x * y;
            float dy = delta * x * y - gamma * y;
            x += dt * dx;
            y += dt * dy;
        }
        prey[i] = x;
        predator[i] = y;
    }
}
