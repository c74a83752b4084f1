// s2sad: --of y --wrt y
// Each thread sorts a row of its own: data says which element of the row, never which row.
__global__ void sorted_rows_in_place(float *y, const int *lens, int n, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float *row = y + i * k;
    int len = lens[i];
    for (int a = 1; a < k; ++a) {
        float key = row[a];
        int b = a - 1;
        for (; b >= 0 && row[b] > key; --b)
            row[b + 1] = row[b];
        row[b + 1] = 0.5f * key * key + key;
    }
    row[len - 1] = row[0] * row[len];
}
