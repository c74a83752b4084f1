// s2sad: --of acc --wrt bodies
// The accelerations of bodies that attract each other: positions and masses in float4.
__global__ void nbody(const float4 *bodies, float3 *acc, int n, float soft)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 me = bodies[i];
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    for (int j = 0; j < n; ++j) {
        float3 d;
        d.x = bodies[j].x - me.x;
        d.y = bodies[j].y - me.y;
        d.z = bodies[j].z - me.z;
        float r2 = d.x * d.x + d.y * d.y + d.z * d.z + soft;
        float inv = rsqrtf(r2);
        float s = bodies[j].w * inv * inv * inv;
        a.x += d.x * s;
        a.y += d.y * s;
        a.z += d.z * s;
    }
    acc[i] = a;
}
