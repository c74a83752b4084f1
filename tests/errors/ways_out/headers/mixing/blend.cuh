#pragma once
__device__ inline float blend(float a, float b) { return a + 0.25f * (b - a) * (b - a); }
