// stack pop
struct Stack {
    float v[4];
    int n;
    __device__ void push(float a) { v[n++] = a; }
    __device__ float pop() { return v[--n]; }
};

extern "C" __global__ void value_popped(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Stack st;
    st.n = 0;
    st.push(x[i]);
    st.push(x[i] * x[i]);
    float p = st.pop();
    st.push(p * st.v[0]);
    float q = st.pop();
    float r;
    r = st.pop();
    y[i] = p * q + r;
}
//--
// kernel = "value_popped"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 60, fill = "normal" }
// y = { shape = 60, fill = "zeros" }
