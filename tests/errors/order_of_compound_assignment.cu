extern "C" __global__ void kernel(const float *x, float *y, int *at, int n)
{
    int k = threadIdx.x;
    float v[4] = {x[k], 1.0f, 2.0f, 3.0f};
    v[k++] *= v[k + 1];
//  ^^^^^^^^^^^^^^^^^^ compilers-differ: C++17 and nvcc evaluate the right side first, g++ the left one
    float *p = v;
    *p++ += *p;
//  ^^^^^^^^^^ compilers-differ: C++17 and nvcc evaluate the right side first, g++ the left one
    v[k = n] -= k * 2.0;
//  ^^^^^^^^^^^^^^^^^^^ compilers-differ: C++17 and nvcc evaluate the right side first, g++ the left one
    v[k] += v[k++];
    y[threadIdx.x] = v[0];
}
