// transpose_adj: adjoint of transpose (transpose_padded.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform transpose_padded.cu --of y --wrt x
//
// Seed adj_y with dJ/dy: it is left alone, because transpose stores each element of y
// at most once. dJ/dx is added to adj_x. x and y are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   c   tape_c, a register   line 12 overwrites it
//   r   tape_r, a register   line 13 overwrites it
//
// How adjoints are added up:
//   adj_x[..]      atomicAdd      not proved that two threads never meet in x[r * w +
//                                 c]
//   adj_tile[..]   +=, by phase   between two barriers one thread per element
//
// Assumed: the launch is 2-D, no two threads store the same y[r * h + c], arrays don't
// overlap, no index wraps.

#define TILE 16

__global__ void transpose_adj(const float *__restrict__ x, float *__restrict__ adj_x,
                              float *__restrict__ y, const float *__restrict__ adj_y, int w, int h)
{
    __shared__ float adj_tile[TILE][TILE + 1];
    for (int q = threadIdx.y * blockDim.x + threadIdx.x; q < TILE * (TILE + 1);
         q += blockDim.x * blockDim.y)
        adj_tile[q / (TILE + 1)][q % (TILE + 1)] = 0.0f;
    __syncthreads();
    int c = blockIdx.x * TILE + threadIdx.x;
    int tape_c = c;
    int r = blockIdx.y * TILE + threadIdx.y;
    int tape_r = r;
    c = blockIdx.y * TILE + threadIdx.x;
    r = blockIdx.x * TILE + threadIdx.y;
    if (r < w && c < h) {
        // 15:  y[r * h + c] = tile[threadIdx.x][threadIdx.y]
        adj_tile[threadIdx.x][threadIdx.y] += adj_y[r * h + c];
    }
    __syncthreads();
    if (tape_r < h && tape_c < w) {
        // 10:  tile[threadIdx.y][threadIdx.x] = x[r * w + c]
        atomicAdd(&adj_x[tape_r * w + tape_c], adj_tile[threadIdx.y][threadIdx.x]);
    }
}
