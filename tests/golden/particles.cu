// s2sad: --of particles --wrt particles,drag
// A step of particles in an array of structs: the species picks the drag, the rest is changed in place.
struct Particle {
    float3 at;
    float3 speed;
    float mass;
    int species;
};

extern "C" __global__ void drift(struct Particle *particles, const float *drag, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Particle p = particles[i];
    float k = drag[p.species] / p.mass;
    p.speed.x -= dt * k * p.speed.x * fabsf(p.speed.x);
    p.speed.y -= dt * k * p.speed.y * fabsf(p.speed.y);
    p.speed.z -= dt * (k * p.speed.z + 9.81f);
    p.at.x += dt * p.speed.x;
    p.at.y += dt * p.speed.y;
    p.at.z += dt * p.speed.z;
    particles[i] = p;
}
