extern "C" __global__ void norm(const float4 *v, float *y)
//                                    ^^^^^^ struct: structs are not differentiated yet
{
    float4 a = v[threadIdx.x];
//  ^^^^^^ struct: structs are not differentiated yet
    y[threadIdx.x] = sqrtf(a.x * a.x + a.y * a.y + a.z * a.z);
}
