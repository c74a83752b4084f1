// 3 x 3 matrices, row by row.
#pragma once
#include "vec.cuh"

struct Mat3 {
    float3 r0, r1, r2;

    HD Mat3() {}
    HD Mat3(float3 a, float3 b, float3 c) : r0(a), r1(b), r2(c) {}

    HD Mat3 transpose() const
    {
        return Mat3(make_float3(r0.x, r1.x, r2.x), make_float3(r0.y, r1.y, r2.y), make_float3(r0.z, r1.z, r2.z));
    }
    HD float det() const { return dot(r0, cross(r1, r2)); }
    HD float norm2() const { return dot(r0, r0) + dot(r1, r1) + dot(r2, r2); }
    HD Mat3 cofactor() const { return Mat3(cross(r1, r2), cross(r2, r0), cross(r0, r1)); }

    HD float3 operator*(float3 v) const { return make_float3(dot(r0, v), dot(r1, v), dot(r2, v)); }
    HD Mat3 operator*(const Mat3 &b) const
    {
        const Mat3 t = b.transpose();
        return Mat3(t * r0, t * r1, t * r2);
    }
    HD Mat3 operator+(const Mat3 &b) const { return Mat3(r0 + b.r0, r1 + b.r1, r2 + b.r2); }
};

HD Mat3 operator*(float s, const Mat3 &a) { return Mat3(s * a.r0, s * a.r1, s * a.r2); }
