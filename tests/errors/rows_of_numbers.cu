// s2sad: --of y --wrt x
extern "C" __global__ void blocks(const float *x, float *y, int k)
{
    int t = threadIdx.x;
    const float (*a)[4][3] = (const float (*)[4][3])(x + k);
//                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ rows-of-numbers: not supported yet
    const float *row = a[t][1];
    y[t] = row[2] * a[t][0][1];
}
