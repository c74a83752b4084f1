struct Cell {
    float u, v;
};

__global__ void picked(const float **x, const float *table[4], const Cell (*cells)[8], float *y)
//                     ^^^^^^^^^^^^^^^ not-supported: not differentiated yet
//                                      ^^^^^^^^^^^^^^^^^^^^^ not-supported: not differentiated yet
//                                                             ^^^^^^^^^^^^^^^^^^^^^^ not-supported: not differentiated yet
{
    y[threadIdx.x] = x[threadIdx.x][0] + table[1][threadIdx.x];
}
