// drift_adj: adjoint of drift (particles.cu:10).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform particles.cu --of particles --wrt particles,drag
//
// Call with particles and drag as they were before drift. adj_particles comes in as
// dJ/dparticles after drift and goes out as dJ/dparticles before it, element by
// element. dJ/ddrag is added to adj_drag. particles is only read.
//
// What the reverse sweep needs, and where it finds it:
//   p.speed.x, p.speed.y,   reloaded   still in its variable
//   p.speed.z, p.mass, k
//
// How adjoints are added up:
//   adj_particles[..].at.x      +=, one owner   one thread per element
//   adj_particles[..].at.y      +=, one owner   one thread per element
//   adj_particles[..].at.z      +=, one owner   one thread per element
//   adj_particles[..].speed.x   +=, one owner   one thread per element
//   adj_particles[..].speed.y   +=, one owner   one thread per element
//   adj_particles[..].speed.z   +=, one owner   one thread per element
//   adj_particles[..].mass      +=, one owner   one thread per element
//   adj_drag[..]                atomicAdd       not proved that two threads never meet
//                                               in drag[p.species]
//
// At kinks and singular points:
//   fabsf: at 0 its derivative is 0
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Particle {
    float3 at;
    float3 speed;
    float mass;
    int species;
};

extern "C" __global__ void drift_adj(Particle *particles, Particle *adj_particles,
                                     const float *drag, float *adj_drag, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Particle p = particles[i];
    float k = drag[p.species] / p.mass;

    // 23:  particles[i] = p
    Particle adj_p = adj_particles[i];
    // 22:  p.at.z += dt * p.speed.z
    adj_p.speed.z += dt * adj_p.at.z;
    // 21:  p.at.y += dt * p.speed.y
    adj_p.speed.y += dt * adj_p.at.y;
    // 20:  p.at.x += dt * p.speed.x
    adj_p.speed.x += dt * adj_p.at.x;

    // 19:  p.speed.z -= dt * (k * p.speed.z + 9.81f)
    float g = -(dt * adj_p.speed.z);
    float adj_k = p.speed.z * g;
    adj_p.speed.z += k * g;

    // 18:  p.speed.y -= dt * k * p.speed.y * fabsf(p.speed.y)
    float g_2 = -(fabsf(p.speed.y) * adj_p.speed.y);
    adj_k += p.speed.y * dt * g_2;
    adj_p.speed.y += dt * k * g_2
                     - dt * k * p.speed.y
                     * (p.speed.y > 0.0f ? 1.0f : p.speed.y < 0.0f ? -1.0f : 0.0f) * adj_p.speed.y;

    // 17:  p.speed.x -= dt * k * p.speed.x * fabsf(p.speed.x)
    float g_3 = -(fabsf(p.speed.x) * adj_p.speed.x);
    adj_k += p.speed.x * dt * g_3;
    adj_p.speed.x += dt * k * g_3
                     - dt * k * p.speed.x
                     * (p.speed.x > 0.0f ? 1.0f : p.speed.x < 0.0f ? -1.0f : 0.0f) * adj_p.speed.x;

    // 16:  float k = drag[p.species] / p.mass
    float g_4 = adj_k / p.mass;
    atomicAdd(&adj_drag[p.species], g_4);
    adj_p.mass -= k * g_4;

    // 15:  Particle p = particles[i]
    adj_particles[i].at = adj_p.at;
    adj_particles[i].speed = adj_p.speed;
    adj_particles[i].mass = adj_p.mass;
}
