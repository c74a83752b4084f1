extern "C" __global__ void clamp_adj(int n, const float *x, float *adj_x, const float *w, float *adj_w, float lo,
                                     float hi, float *y, const float *adj_y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float held = fminf(fmaxf(x[i], lo), hi);
    adj_w[i] += held * adj_y[i];
    if (x[i] > lo && x[i] < hi)
        adj_x[i] += w[i] * adj_y[i];
}
