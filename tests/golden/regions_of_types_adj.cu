// regions_of_types_adj: adjoint of regions_of_types (regions_of_types.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform regions_of_types.cu --of y --wrt x,w
//
// Call with x, w and order as they were before regions_of_types. Seed adj_y with dJ/dy:
// it is left alone, because regions_of_types stores each element of y at most once.
// dJ/dx is added to adj_x; dJ/dw is added to adj_w. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   own.x, own.y, sum          reloaded                   still in its variable
//   quads[memory[t]].z         tape_quads, a register     line 18 overwrites it
//   quads[t].w                 tape_quads_2, a register   line 18 overwrites it
//   quads[t].x                 tape_quads_3, a register   line 18 overwrites it
//   memory[..],                reloaded                   no later store goes to it
//   memory_float[..],
//   quads_int[..], quads[..]
//   w[..]                      reloaded                   nothing stores to it
//
// How adjoints are added up:
//   adj_x[..].x            +=, one owner   one thread per element
//   adj_x[..].y            +=, one owner   one thread per element
//   adj_w[..]              atomicAdd       every block reads the same w[t]
//   adj_memory_float[..]   +=, by phase    between two barriers one thread per element
//   adj_memory_float[..]   atomicAdd       not proved that two threads never meet in
//                                          values[memory[t]]
//   adj_quads[..]          atomicAdd       not proved that two threads never meet in
//                                          quads[memory[t]].z
//   adj_quads[..]          +=, by phase    between two barriers one thread per element
//   adj_quads[..]          atomicAdd       not proved that two threads never meet in
//                                          parts[last[t]]
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, what is written to
// quads as one type isn't read as another, what is written to memory as one type isn't
// read as another.

extern "C" __global__ void regions_of_types_adj(const float2 *x, float2 *adj_x,
                                                const float *w, float *adj_w, const int *order,
                                                float *y, const float *adj_y, int n)
{
    __shared__ float quads[96];
    __shared__ float adj_quads[96];
    __shared__ int quads_int[96];
    __shared__ int memory[96];
    __shared__ float memory_float[96];
    __shared__ float adj_memory_float[96];
    for (int q = threadIdx.x; q < 96; q += blockDim.x)
        adj_quads[q] = 0.0f;
    for (int q = threadIdx.x; q < 96; q += blockDim.x)
        adj_memory_float[q] = 0.0f;
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    float2 own = make_float2(i < n ? x[i].x : 0.0f, i < n ? x[i].y : 0.0f);
    memory_float[24 + t] = own.x * own.y;
    memory[t] = order[t];
    quads[(long)t * 4] = own.x;
    quads[(long)t * 4 + 1] = own.y;
    quads[(long)t * 4 + 2] = memory_float[24 + t];
    quads[(long)t * 4 + 3] = w[t];
    __syncthreads();
    float tape_quads = quads[(long)memory[t] * 4 + 2];
    float tape_quads_2 = quads[(long)t * 4 + 3];
    float tape_quads_3 = quads[(long)t * 4];
    float sum = memory_float[24 + memory[t]] * quads[(long)memory[t] * 4 + 2]
                + quads[(long)t * 4] * quads[(long)t * 4 + 3];
    __syncthreads();
    quads[t] = sum * w[t];
    quads_int[24 + t] = memory[t] > t ? t : memory[t];
    __syncthreads();
    float adj_sum = 0.0f;
    if (i < n) {
        // 22:  y[i] = parts[last[t]] * sum
        float g = adj_y[i];
        atomicAdd(&adj_quads[quads_int[24 + t]], sum * g);
        adj_sum = quads[quads_int[24 + t]] * g;
    }
    __syncthreads();

    // 18:  parts[t] = sum * w[t]
    float g = adj_quads[t];
    adj_sum += w[t] * g;
    float adj_w_t = sum * g;
    adj_quads[t] = 0.0f;
    __syncthreads();

    // 14:  float sum = values[memory[t]] * quads[memory[t]].z + quads[t].x * quads[t].w
    atomicAdd(&adj_memory_float[24 + memory[t]], tape_quads * adj_sum);
    atomicAdd(&adj_quads[(long)memory[t] * 4 + 2], memory_float[24 + memory[t]] * adj_sum);
    adj_quads[(long)t * 4] += tape_quads_2 * adj_sum;
    adj_quads[(long)t * 4 + 3] += tape_quads_3 * adj_sum;
    __syncthreads();

    // 12:  quads[t] = make_float4(own.x, own.y, values[t], w[t])
    atomicAdd(&adj_w[t], adj_w_t + adj_quads[(long)t * 4 + 3]);
    adj_quads[(long)t * 4 + 3] = 0.0f;
    adj_memory_float[24 + t] += adj_quads[(long)t * 4 + 2];
    adj_quads[(long)t * 4 + 2] = 0.0f;
    float2 adj_own;
    adj_own.y = adj_quads[(long)t * 4 + 1];
    adj_quads[(long)t * 4 + 1] = 0.0f;
    adj_own.x = adj_quads[(long)t * 4];

    // 10:  values[t] = own.x * own.y
    float g_2 = adj_memory_float[24 + t];
    adj_own.x += own.y * g_2;
    adj_own.y += own.x * g_2;

    // 9:  float2 own = i < n ? x[i] : make_float2(0.0f, 0.0f)
    if (i < n) {
        adj_x[i].x += adj_own.x;
        adj_x[i].y += adj_own.y;
    }
}
