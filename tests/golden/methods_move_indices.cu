// Methods, static functions and operators that change what pointers were made from.
struct Step {
    int by;
    __device__ void ahead(int &n) const { n += by; }
    __device__ static void back(int &n) { n -= 1; }
};

struct Cursor {
    int at;
    __device__ Cursor(int start) : at(start) {}
    __device__ void next() { at = at + 2; }
    __device__ int operator()(int k) const { return at + k; }
};
__device__ void operator<<(Cursor &c, Step s)
{
    c.at = c.at + s.by;
}

extern "C" __global__ void gather(const float *x, float *y, Step step, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int at = i;
    const float *p = x + at;
    step.ahead(at);
    const float *q = x + at;
    Step::back(at);
    Cursor c(at);
    const float *r = x + c.at;
    c.next();
    const float *s = x + c.at;
    c << step;
    const float *t = x + c(1);
    y[i] = *p * *q + sinf(*r) * *s + *t * *t * at;
}
