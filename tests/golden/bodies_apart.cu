// s2sad: --of pull --wrt at,mass
// Gravity in the plane by tiles; a body doesn't pull itself, so that what it takes for the sums is made under a condition.
#define TILE 16

__global__ void bodies_apart(const float2 *at, const float *mass, float2 *pull, int n, float soft)
{
    __shared__ float2 where[TILE];
    __shared__ float weight[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    float2 me = i < n ? at[i] : make_float2(0.0f, 0.0f);
    float mine = i < n ? mass[i] : 0.0f;
    float2 sum = make_float2(0.0f, 0.0f);
    for (int t = 0; t * TILE < n; ++t) {
        int j = t * TILE + threadIdx.x;
        where[threadIdx.x] = j < n ? at[j] : make_float2(0.0f, 0.0f);
        weight[threadIdx.x] = j < n ? mass[j] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            float dx = where[k].x - me.x, dy = where[k].y - me.y;
            float r = rsqrtf(dx * dx + dy * dy + soft);
            float w = weight[k] * mine * r * r * r;
            if (t * TILE + k != i) {
                sum.x += w * dx;
                sum.y += w * dy;
            }
        }
        __syncthreads();
    }
    if (i < n)
        pull[i] = sum;
}
