// [conv.array], [dcl.array]: of an array of arrays, the address of its first row.
extern "C" __global__ void array_of_arrays_becomes_a_pointer_to_rows(const float *x, const int *m, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = x[i];
    float a[2][3];
    for (int k = 0; k < 6; ++k)
        a[k / 3][k % 3] = s * x[k] + s;
    float (*row)[3] = a;
    row[1][2] *= row[0][1];
    float *flat = a[1];
    flat[0] += flat[2] * s;
    s = sinf((*row)[2]) * *a[1] + *(*(a + 1) + 1);
    y[i] = s * row[1][0] * flat[1];
}
