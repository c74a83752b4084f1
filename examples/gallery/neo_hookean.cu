// Finite elements: elastic energy and nodal forces of linear tetrahedra, stable neo-Hookean.
// After B. Smith, F. de Goes and T. Kim, "Stable neo-Hookean flesh simulation", ACM Trans. Graph. 37 (2018).
#include "mat3.cuh"

struct Material {
    float mu, lambda;
};

struct Element {
    int4 node;
    Mat3 inv_rest;  // inverse of the edges' matrix at rest
    float volume;
};

// s2sad: --of force,energy --wrt x,material,force
extern "C" __global__ void neo_hookean(const float3 *__restrict__ x, const Element *__restrict__ elements,
                                       const Material *__restrict__ material, float3 *force, float *energy, int n)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= n)
        return;
    const Element el = elements[e];
    const float mu = material[e].mu, lambda = material[e].lambda;

    const float3 origin = x[el.node.x];
    const Mat3 ds = Mat3(x[el.node.y] - origin, x[el.node.z] - origin, x[el.node.w] - origin).transpose();
    const Mat3 f = ds * el.inv_rest;
    const float ic = f.norm2(), j = f.det();
    const float alpha = 1.0f + 0.75f * mu / lambda;
    energy[e] = el.volume * (0.5f * mu * (ic - 3.0f) + 0.5f * lambda * sq(j - alpha) - 0.5f * mu * logf(ic + 1.0f));

    // First Piola-Kirchhoff stress; its columns, pulled back, are the forces of three nodes.
    const Mat3 p = mu * (1.0f - 1.0f / (ic + 1.0f)) * f + lambda * (j - alpha) * f.cofactor();
    const Mat3 h = (-el.volume * p * el.inv_rest.transpose()).transpose();
    atomicAdd3(&force[el.node.y], h.r0);
    atomicAdd3(&force[el.node.z], h.r1);
    atomicAdd3(&force[el.node.w], h.r2);
    atomicAdd3(&force[el.node.x], -(h.r0 + h.r1 + h.r2));
}
