// s2sad: --of force,acc,v --wrt bodies,acc,v,k --separate
struct Body { float2 at; float w[2]; float mass; int id; };
struct View { const float *in; float *out; float gain; float c[2]; int n; };

extern "C" __global__ void pull(const Body *bodies, float2 *force, float4 *acc, View v, float k, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Body me = bodies[i];
    float2 f = make_float2(0.0f, 0.0f);
    for (int j = 0; j < n; ++j) {
        float dx = bodies[j].at.x - me.at.x;
        float dy = bodies[j].at.y - me.at.y;
        float d = rsqrtf(dx * dx + dy * dy + 0.1f) * bodies[j].mass * me.w[1];
        f.x += dx * d;
        f.y += dy * d;
    }
    force[i] = f;
    acc[i].x += f.x * k;
    acc[i].w *= f.y;
    v.out[i] = v.in[i] * v.gain + v.c[1] * acc[i].z;
}
