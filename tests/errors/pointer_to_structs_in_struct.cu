struct Cloud {
    const float3 *at;
    float *mass;
};

__global__ void pull(Cloud cloud, const Cloud *clouds, const float *x, float *y, int n)
//                   ^^^^^^^^^^^ not-supported: not differentiated yet
//                                ^^^^^^^^^^^^^^^^^^^ not-supported: not differentiated yet
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = cloud.at[i].x * cloud.mass[i] * x[i];
}
