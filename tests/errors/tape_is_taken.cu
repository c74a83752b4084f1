extern "C" __global__ void walk(const float *x, float *tape, int n)
//                                              ^^^^^^^^^^^ name-taken: already has that name
{
    int i = threadIdx.x;
    float s = x[i];
    for (int k = 0; k < n; ++k)
        s = sinf(s) * x[k];
    tape[i] = s;
}
