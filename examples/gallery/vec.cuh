// Vector arithmetic on CUDA's built-in types: what each of these codes has in a header of its own.
#pragma once

#define HD __host__ __device__ __forceinline__

HD float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
HD float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
HD float2 operator*(float s, float2 a) { return make_float2(s * a.x, s * a.y); }
HD float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }

HD float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
HD float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
HD float3 operator-(float3 a) { return make_float3(-a.x, -a.y, -a.z); }
HD float3 operator*(float s, float3 a) { return make_float3(s * a.x, s * a.y, s * a.z); }
HD float3 operator*(float3 a, float s) { return s * a; }
HD float3 operator/(float3 a, float s) { return (1.0f / s) * a; }
HD void operator+=(float3 &a, float3 b) { a.x += b.x; a.y += b.y; a.z += b.z; }
HD void operator-=(float3 &a, float3 b) { a.x -= b.x; a.y -= b.y; a.z -= b.z; }
HD float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
HD float length(float3 a) { return sqrtf(dot(a, a)); }
HD float3 cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

template <typename T> HD T sq(T x) { return x * x; }
HD float clamp(float x, float low, float high) { return fminf(fmaxf(x, low), high); }
HD int clamp(int x, int low, int high) { return min(max(x, low), high); }

HD float3 xyz(float4 a) { return make_float3(a.x, a.y, a.z); }

// Adds to a vector in global memory, component by component.
__device__ __forceinline__ void atomicAdd3(float3 *where, float3 v)
{
    atomicAdd(&where->x, v.x);
    atomicAdd(&where->y, v.y);
    atomicAdd(&where->z, v.z);
}
