// s2sad: --of y --wrt x --keep-template
__device__ float only(float v) { return v * v; }

template <class T>
struct Pick;

template <>
struct Pick<float> {
    static const int turns = 3;
};

template <class T>
__global__ void picked(const T *x, T *y)
//              ^^^^^^ kept-template: its template
{
    T s = x[threadIdx.x];
    for (int k = 0; k < Pick<T>::turns; ++k)
        s = only(s);
    y[threadIdx.x] = s;
}

template __global__ void picked<float>(const float *, float *);
