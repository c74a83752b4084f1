// s2sad: --of y --wrt x
struct Line {
    float at, slope;
};

__device__ float value(Line line, float x, float dx)
{
    return line.at + line.slope * (x + dx);
}

__global__ void open_order_of_arguments(const float *x, float *y)
{
    float a = x[threadIdx.x];
    Line line = {a, 2.0f};
    y[threadIdx.x] = value(line, a, a *= 0.5f);
//                   ^^^^^^^^^^^^^^^^^^^^^^^^^ unsequenced-effects: C++17 allows either operand to be evaluated first
}
