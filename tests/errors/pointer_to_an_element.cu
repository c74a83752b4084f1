// s2sad: --of y --wrt x
struct Row {
    const float *at;
};

extern "C" __global__ void rows(const float *x, float *y)
{
    Row row;
    row.at = x + 4 * threadIdx.x;
//           ^^^^^^^^^^^^^^^^^^^ pointer-to-element: a pointer in a struct must point to the beginning of an array
    y[threadIdx.x] = 2.0f * row.at[0];
}
