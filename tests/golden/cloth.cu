// s2sad: --of fx,fy --wrt x,y,stiffness
// Springs between neighbours on a grid. A device function with four active arguments
// gives one component of a force; the corners have fewer springs.
__device__ float spring(float dx, float dy, float along, float k, float rest)
{
    float length = sqrtf(dx * dx + dy * dy);
    return k * (length - rest) * along / length;
}

extern "C" __global__ void cloth(const float *x, const float *y, float *fx, float *fy,
                                 int width, int height, float stiffness)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c >= width || r >= height)
        return;
    int here = r * width + c;
    float sum_x = 0.0f, sum_y = 0.0f;
    for (int k = 0; k < 4; ++k) {
        int cc = c + (k == 0) - (k == 1);
        int rr = r + (k == 2) - (k == 3);
        if (cc < 0 || cc >= width || rr < 0 || rr >= height)
            continue;
        int there = rr * width + cc;
        float dx = x[there] - x[here], dy = y[there] - y[here];
        sum_x += spring(dx, dy, dx, stiffness, 1.0f);
        sum_y += spring(dx, dy, dy, stiffness, 1.0f);
    }
    fx[here] = sum_x;
    fy[here] = sum_y;
}
