// shared_indices_adj: adjoint of shared_indices (shared_indices.cu:4).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform shared_indices.cu --of y --wrt x,w
//
// Call with x, w and order as they were before shared_indices. Seed adj_y with dJ/dy:
// it is left alone, because shared_indices stores each element of y at most once. dJ/dx
// is added to adj_x; dJ/dw is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   place[BLOCK - 1 - t]   tape_place, a register     line 16 overwrites it
//   place[t]               tape_place_2, a register   line 16 overwrites it
//   v                      reloaded                   still in its variable
//   w[..]                  reloaded                   nothing stores to it
//   s[..], place[..]       reloaded                   no later store goes to it
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//   adj_w[..]   atomicAdd       not proved that two threads never meet in w[place[BLOCK
//                               - 1 - t]]
//   adj_s[..]   atomicAdd       not proved that two threads never meet in s[place[t]]
//   adj_s[..]   atomicAdd       not proved that two threads never meet in s[place[(t +
//                               1) % BLOCK]]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define BLOCK 32

extern "C" __global__ void shared_indices_adj(const float *__restrict__ x,
                                              float *__restrict__ adj_x,
                                              const float *__restrict__ w,
                                              float *__restrict__ adj_w,
                                              const int *__restrict__ order,
                                              float *__restrict__ y,
                                              const float *__restrict__ adj_y, int n)
{
    __shared__ int place[BLOCK];
    __shared__ float s[BLOCK];
    __shared__ float adj_s[BLOCK];
    for (int q = threadIdx.x; q < BLOCK; q += blockDim.x)
        adj_s[q] = 0.0f;
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    place[t] = i < n ? order[i] % BLOCK : t;
    s[t] = i < n ? x[i] : 1.0f;
    __syncthreads();
    int tape_place = place[BLOCK - 1 - t];
    int tape_place_2 = place[t];
    float v = s[place[t]] * w[place[BLOCK - 1 - t]];
    __syncthreads();
    place[t] = (place[t] + 1) % BLOCK;
    __syncthreads();
    float adj_v = 0.0f;
    if (i < n) {
        // 20:  y[i] = v
        adj_v = adj_y[i];
    }

    // 18:  v += s[place[(t + 1) % BLOCK]] * v
    atomicAdd(&adj_s[place[(t + 1) % BLOCK]], v * adj_v);
    adj_v += s[place[(t + 1) % BLOCK]] * adj_v;

    // 14:  float v = s[place[t]] * w[place[BLOCK - 1 - t]]
    atomicAdd(&adj_s[tape_place_2], w[tape_place] * adj_v);
    atomicAdd(&adj_w[tape_place], s[tape_place_2] * adj_v);
    __syncthreads();

    // 12:  s[t] = i < n ? x[i] : 1.0f
    if (i < n)
        adj_x[i] += adj_s[t];
}
