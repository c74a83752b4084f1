// laplace2d_adj: adjoint of laplace2d (laplace2d.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform laplace2d.cu --of out --wrt in,source
//
// Seed adj_out with dJ/dout: it is left alone, because laplace2d stores each element of
// out at most once. dJ/din is added to adj_in; dJ/dsource is added to adj_source. in,
// source and out are neither read nor written.
//
// How adjoints are added up:
//   adj_in[..]       atomicAdd       neighbouring threads share in[IDX(r - 1, c)],
//                                    in[IDX(r + 1, c)], in[IDX(r, c - 1)], in[IDX(r, c
//                                    + 1)] and others
//   adj_source[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 2-D, arrays don't overlap, no index wraps.

__global__ void laplace2d_adj(const float *__restrict__ in, float *__restrict__ adj_in,
                              const float *__restrict__ source, float *__restrict__ adj_source,
                              float *__restrict__ out, const float *__restrict__ adj_out, int width,
                              int height, float weight)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (c < width && r < height)
        if (c > 0 && c < width - 1 && r > 0 && r < height - 1) {
            // 13:  out[IDX(r, c)] = (1.0f - weight) * in[IDX(r, c)] + weight * (0.25f * sum -
            //      source[IDX(r, c)])
            float g = adj_out[r * width + c];
            atomicAdd(&adj_in[r * width + c], (1.0f - weight) * g);
            float g_2 = weight * g;
            float adj_sum = 0.25f * g_2;
            adj_source[r * width + c] -= g_2;

            // 12:  float sum = in[IDX(r - 1, c)] + in[IDX(r + 1, c)] + in[IDX(r, c - 1)] +
            //      in[IDX(r, c + 1)]
            atomicAdd(&adj_in[(r - 1) * width + c], adj_sum);
            atomicAdd(&adj_in[(r + 1) * width + c], adj_sum);
            atomicAdd(&adj_in[r * width + (c - 1)], adj_sum);
            atomicAdd(&adj_in[r * width + (c + 1)], adj_sum);
        } else {
            // 15:  out[IDX(r, c)] = in[IDX(r, c)]
            atomicAdd(&adj_in[r * width + c], adj_out[r * width + c]);
        }
}
