class Acc {
public:
    float s = 0.0f;
    __device__ Acc &add(float v)
    {
        this->s += v * v;
        (*this).k++;
        return *this;
    }
    __device__ float total() const { return this->s * k; }
private:
    int k = 0;
};
extern "C" __global__ void this_and_members(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Acc a;
    a.add(x[i]).add(x[i + 1]);
    y[i] = a.total() * (&a)->s;
}
