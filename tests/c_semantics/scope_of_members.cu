// [class.mfct]: in a method a parameter hides a member; this-> names the member.
struct Line {
    float a, b;
    __device__ float at(float a) const { return this->a * a + b; }
    __device__ void shift(float b) { this->b += b * a; }
};
extern "C" __global__ void scope_of_members(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    Line line = {s, x[1]};
    s = line.at(x[2]);
    line.shift(s);
    float a = line.a * line.b;
    y[i] = sinf(line.at(a)) * line.at(s);
}
