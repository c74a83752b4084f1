// s2sad: --of force --wrt bodies
// Gravity in tiles: pointers to structs name the body of a thread, a row of the tile and the result.
struct Body {
    float3 pos;
    float mass;
};

__device__ void pull(const Body *a, const float4 *b, float3 *f)
{
    float3 d = make_float3(b->x - a->pos.x, b->y - a->pos.y, b->z - a->pos.z);
    float q = rsqrtf(d.x * d.x + d.y * d.y + d.z * d.z + 0.05f);
    float s = b->w * q * q * q;
    f->x += s * d.x;
    f->y += s * d.y;
    f->z += s * d.z;
}

extern "C" __global__ void attract(const Body *bodies, float3 *force, int n)
{
    __shared__ float4 tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const Body *me = bodies + min(i, n - 1);
    float3 sum = make_float3(0.0f, 0.0f, 0.0f);
    for (int first = 0; first < n; first += 64) {
        for (int k = 0; k < 2; k++) {
            float4 *slot = &tile[32 * k] + threadIdx.x;
            int j = first + 32 * k + threadIdx.x;
            const Body *b = &bodies[min(j, n - 1)];
            slot->x = b->pos.x;
            slot->y = b->pos.y;
            slot->z = b->pos.z;
            slot->w = j < n ? b->mass : 0.0f;
        }
        __syncthreads();
        for (int k = 0; k < 64; k++)
            pull(me, tile + k, &sum);
        __syncthreads();
    }
    if (i < n) {
        float3 *out = force + i;
        out->x = sum.x * me->mass;
        out->y = sum.y * me->mass;
        (*out).z = sum.z * me->mass;
    }
}
