extern "C" __global__ void heap(const float *x, float *y, int n)
{
    float *t = new float[n];
//             ^^^ no-heap: heap memory is not differentiated
    t[0] = x[threadIdx.x];
    y[threadIdx.x] = t[0];
    delete[] t;
//  ^^^^^^ no-heap: heap memory is not differentiated
}
