extern "C" __global__ void kernel(const float *x, float *y)
{
    int i = threadIdx.x;
    y[i] = dynamic_cast<const float *>(x)[i];
//         ^^^^^^^^^^^^ no-cast: not differentiated
}
