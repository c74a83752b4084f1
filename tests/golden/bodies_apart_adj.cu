// bodies_apart_adj: adjoint of bodies_apart (bodies_apart.cu:5).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform bodies_apart.cu --of pull --wrt at,mass
//
// Call with at and mass as they were before bodies_apart. Seed adj_pull with dJ/dpull:
// it is left alone, because bodies_apart stores each element of pull at most once.
// dJ/dat is added to adj_at; dJ/dmass is added to adj_mass. pull is neither read nor
// written.
//
// What the reverse sweep needs, and where it finds it:
//   me.x, me.y, mine   reloaded            still in its variable
//   t                  inverted            each iteration adds 1
//   trips of line 13   trips, a register   the loop decides in its iterations when it
//                                          ends
//   j, dx, dy, r, w    recomputed          from values at hand, in the reversed
//                                          iteration
//   weight[..]         reloaded            no later store goes to it
//
// How adjoints are added up:
//   adj_at[..].x      atomicAdd      not proved that two threads never meet in at[i]
//                                    and at[j]
//   adj_at[..].y      atomicAdd      not proved that two threads never meet in at[i]
//                                    and at[j]
//   adj_mass[..]      atomicAdd      not proved that two threads never meet in mass[i]
//                                    and mass[j]
//   adj_where[..].x   +=, gathered   a thread collects what all threads of its row owe
//                                    to its element of where.x
//   adj_where[..].y   +=, gathered   a thread collects what all threads of its row owe
//                                    to its element of where.y
//   adj_weight[..]    +=, gathered   a thread collects what all threads of its row owe
//                                    to its element of weight
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

#define TILE 16

__global__ void bodies_apart_adj(const float2 *at, float2 *adj_at,
                                 const float *mass, float *adj_mass,
                                 float2 *pull, const float2 *adj_pull, int n, float soft)
{
    __shared__ float2 where[TILE];
    __shared__ float weight[TILE];
    __shared__ float me_x_tile[TILE];
    __shared__ float me_y_tile[TILE];
    __shared__ float mine_tile[TILE];
    __shared__ float adj_sum_y_tile[TILE];
    __shared__ float adj_sum_x_tile[TILE];

    // ---- forward sweep ------------------------------------------------------

    int i = blockIdx.x * TILE + threadIdx.x;
    float2 me = make_float2(i < n ? at[i].x : 0.0f, i < n ? at[i].y : 0.0f);
    float mine = i < n ? mass[i] : 0.0f;
    int trips = 0;
    for (int t = 0; t * TILE < n; ++t)
        ++trips;

    // ---- reverse sweep ------------------------------------------------------

    float2 adj_sum = {};
    if (i < n) {
        // 30:  pull[i] = sum
        adj_sum = adj_pull[i];
    }
    float2 adj_me = {};
    float adj_mine = 0.0f;
    me_x_tile[threadIdx.x] = me.x;
    me_y_tile[threadIdx.x] = me.y;
    mine_tile[threadIdx.x] = mine;
    adj_sum_y_tile[threadIdx.x] = adj_sum.y;
    adj_sum_x_tile[threadIdx.x] = adj_sum.x;
    for (int trip = trips - 1; trip >= 0; --trip) {
        int j = trip * TILE + threadIdx.x;
        where[threadIdx.x] = make_float2(j < n ? at[j].x : 0.0f, j < n ? at[j].y : 0.0f);
        weight[threadIdx.x] = j < n ? mass[j] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            float dx = where[k].x - me.x;
            float dy = where[k].y - me.y;
            float r = rsqrtf(dx * dx + dy * dy + soft);
            float w = weight[k] * mine * r * r * r;
            float adj_dx = 0.0f;
            float adj_dy = 0.0f;
            float adj_w = 0.0f;
            if (trip * TILE + k != i) {
                // 24:  sum.y += w * dy
                adj_w = dy * adj_sum.y;
                adj_dy = w * adj_sum.y;

                // 23:  sum.x += w * dx
                adj_w += dx * adj_sum.x;
                adj_dx = w * adj_sum.x;
            }

            // 21:  float w = weight[k] * mine * r * r * r
            adj_mine += weight[k] * r * r * r * adj_w;

            // 20:  float r = rsqrtf(dx * dx + dy * dy + soft)
            float g = -0.5f * r * r * r * 3.0f * weight[k] * mine * r * r * adj_w;
            adj_dx += 2.0f * dx * g;
            adj_dy += 2.0f * dy * g;

            // 19:  dy = where[k].y - me.y
            adj_me.y -= adj_dy;
            // 19:  float dx = where[k].x - me.x
            adj_me.x -= adj_dx;
        }
        float adj_weight_sum = 0.0f;
        float adj_where_y_sum = 0.0f;
        float adj_where_x_sum = 0.0f;
        // what the threads along x owe to this thread's elements
        for (int k = 0; k < TILE; ++k) {
            float dx = where[threadIdx.x].x - me_x_tile[k];
            float dy = where[threadIdx.x].y - me_y_tile[k];
            float r = rsqrtf(dx * dx + dy * dy + soft);
            float w = weight[threadIdx.x] * mine_tile[k] * r * r * r;
            float adj_w = 0.0f;
            if (trip * TILE + (int)threadIdx.x != (int)(blockIdx.x * TILE + k)) {
                // 24:  sum.y += w * dy
                adj_w = dy * adj_sum_y_tile[k];
                adj_where_y_sum += w * adj_sum_y_tile[k];

                // 23:  sum.x += w * dx
                adj_w += dx * adj_sum_x_tile[k];
                adj_where_x_sum += w * adj_sum_x_tile[k];
            }

            // 21:  float w = weight[k] * mine * r * r * r
            adj_weight_sum += mine_tile[k] * r * r * r * adj_w;
            float g = -0.5f * r * r * r * 3.0f * weight[threadIdx.x] * mine_tile[k] * r * r * adj_w;
            adj_where_x_sum += 2.0f * dx * g;
            adj_where_y_sum += 2.0f * dy * g;
        }
        __syncthreads();

        // 16:  weight[threadIdx.x] = j < n ? mass[j] : 0.0f
        if (j < n)
            atomicAdd(&adj_mass[j], adj_weight_sum);

        // 15:  where[threadIdx.x] = j < n ? at[j] : make_float2(0.0f, 0.0f)
        if (j < n) {
            atomicAdd(&adj_at[j].x, adj_where_x_sum);
            atomicAdd(&adj_at[j].y, adj_where_y_sum);
        }
    }

    // 11:  float mine = i < n ? mass[i] : 0.0f
    if (i < n)
        atomicAdd(&adj_mass[i], adj_mine);

    // 10:  float2 me = i < n ? at[i] : make_float2(0.0f, 0.0f)
    if (i < n) {
        atomicAdd(&adj_at[i].x, adj_me.x);
        atomicAdd(&adj_at[i].y, adj_me.y);
    }
}
