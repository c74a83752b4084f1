// s2sad: --of out,pos --wrt sample,tangent,pos
// Pointers to structs that move: a parameter to its row, a pointer in a loop that ends where another points.
extern "C" __global__ void march(const float4 *sample, const float2 *tangent, float2 *pos, float *out, int rays, int steps)
{
    int ray = blockIdx.x * blockDim.x + threadIdx.x;
    if (ray >= rays)
        return;
    sample += ray * steps;
    pos += rays - 1;
    pos -= ray;
    const float4 *end = sample + steps;
    const float2 *t = &tangent[steps];
    float through = 1.0f;
    float sum = 0.0f;
    for (const float4 *s = sample; s != end; ++s) {
        --t;
        float4 v = *s;
        if (v.w < -0.5f)
            continue;
        sum += through * (v.x * t->x + v.y * t->y) + s->z;
        through *= 0.5f + 0.1f * v.w;
        if (sum > 3.0f)
            break;
    }
    float2 here = *pos;
    pos->x = here.x * sum;
    pos->y += here.x * through;
    out[ray] = sum * through * pos->y;
}
