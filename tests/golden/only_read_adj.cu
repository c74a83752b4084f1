// only_read_adj: adjoint of only_read (only_read.cu:40).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform only_read.cu --of y --wrt u,y,table
//
// Call with u, y, kind and table as they were before only_read. adj_y comes in as dJ/dy
// after only_read and goes out as dJ/dy before it, element by element. dJ/du is added
// to adj_u; dJ/dtable is added to adj_table. The content of y afterwards is
// unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   u[..], kind[..],           reloaded             nothing stores to it
//   table[..].rows
//   e (line 29)                tape_e, a register   line 31 overwrites it
//   e (line 30),               reloaded             still in its variable
//   doubled_value, p.x, p.y,
//   v.x, v.y
//   y[..]                      reloaded             no later store goes to it
//
// How adjoints are added up:
//   adj_u[..]             atomicAdd           neighbouring threads share u[i], u[i - 1]
//                                             and u[i + 1]
//   adj_table[..].slope   reduced per block   all threads of a block read the same
//                                             table[0].slope[0]
//   adj_table[..].slope   atomicAdd           other threads add to
//                                             table[0].slope[kind[i]] too
//   adj_table[..].rows    reduced per block   every thread reads p->rows[1][0]
//   adj_table[..].rows    atomicAdd           other threads add to
//                                             table[0].rows[row_at][2],
//                                             table[0].rows[row_at][0] and
//                                             table[0].rows[row_at][1] too
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Table {
    float slope[4];
    float rows[2][3];
};
typedef struct Table *table_t;

// Adds what all threads of the block bring, as one atomicAdd. All of them call it.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    __syncthreads();  // the sums of the last call have been read
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; 32 * warp < blockDim.x; ++warp)
            value += sums[warp];
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

extern "C" __global__ void only_read_adj(float *u, float *adj_u,
                                         float *y, float *adj_y, const int *kind,
                                         Table *table, Table *adj_table, float h, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float adj_table_rows_sum = 0.0f;
    float adj_table_slope_sum = 0.0f;
    if (i > 0 && i < n - 1) {
        float v = u[i];
        float s = u[i] * u[i];
        y[i] = u[i] + h * (u[i - 1] - 2.0f * v + u[i + 1]) + 0.5f * (s + u[i + 1]);
        float e = table->slope[kind[i]];
        float tape_e = e;
        if (kind[i] > 1) {
            float v = table->slope[0];
            e *= table->rows[1][0] + 2.0f * v;
        }
        int row_at = kind[i] % 2;
        float2 p = make_float2(u[i], h);
        float2 v_2 = make_float2(table->rows[row_at][0] * p.x + table->rows[row_at][1] * p.y,
                                 table->rows[row_at][2] * p.x);

        // 47:  y[i] += v.x * v.y
        float g = adj_y[i];
        float2 adj_v_2 = make_float2(v_2.y * g, v_2.x * g);

        // 46:  float2 v = turned(make_float2(u[i], h), &table->rows[kind[i] % 2][0])
        atomicAdd(&adj_table->rows[row_at][2], p.x * adj_v_2.y);
        atomicAdd(&adj_table->rows[row_at][0], p.x * adj_v_2.x);
        atomicAdd(&adj_table->rows[row_at][1], p.y * adj_v_2.x);

        // 46:  make_float2(u[i], h)
        atomicAdd(&adj_u[i],
                  table->rows[row_at][2] * adj_v_2.y + table->rows[row_at][0] * adj_v_2.x);

        // 45:  y[i] *= u[i] + energy(kind, i, table)
        float g_2 = y[i] * adj_y[i];
        atomicAdd(&adj_u[i], g_2);
        float adj_e = g_2;
        adj_y[i] *= u[i] + e;
        if (kind[i] > 1) {
            float v = table->slope[0];

            // 31:  e *= p->rows[1][0] + doubled(p->slope, 0)
            float g = tape_e * adj_e;
            adj_table_rows_sum = g;
            adj_e *= table->rows[1][0] + 2.0f * v;

            // 11:  float v = u[i]
            adj_table_slope_sum = 2.0f * g;
        }

        // 29:  float e = p->slope[kind[i]]
        atomicAdd(&adj_table->slope[kind[i]], adj_e);

        // 44:  y[i] = u[i] + h * curved(u, i) + mean(u, i)
        float g_3 = adj_y[i];
        atomicAdd(&adj_u[i], g_3);
        float adj_curved_value = h * g_3;
        adj_y[i] = 0.0f;

        // 44:  mean(u, i)
        float g_4 = 0.5f * g_3;
        atomicAdd(&adj_u[i + 1], g_4);

        // 23:  T s = u[i] * u[i]
        atomicAdd(&adj_u[i], 2.0f * u[i] * g_4);

        // 44:  curved(u, i)
        atomicAdd(&adj_u[i - 1], adj_curved_value);
        atomicAdd(&adj_u[i + 1], adj_curved_value);

        // 11:  float v = u[i]
        atomicAdd(&adj_u[i], -2.0f * adj_curved_value);
    }
    block_add(&adj_table->slope[0], adj_table_slope_sum);
    block_add(&adj_table->rows[1][0], adj_table_rows_sum);
}
