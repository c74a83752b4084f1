struct Stack {
    float v[8];
    int n;
    __device__ void push(float a) { v[n++] = a; }
    __device__ float pop() { return v[--n]; }
    __device__ int size() const { return n; }
};
__device__ void add(Stack &s, float v) { s.push(v * v); }
extern "C" __global__ void argument_that_changes_the_object(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Stack s;
    s.n = 0;
    s.push(x[i]);
    s.push(x[i] * s.pop());
    s.push(s.pop() * 2.0f);
    add(s, s.pop());
    y[i] = s.pop();
}
