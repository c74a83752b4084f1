// s2sad: --of y,frame --wrt x,frame
// Two overloads that differ in the `const` of a reference: one is a place, the other a value.
struct Matrix {
    float a[4];
};
struct Body {
    Matrix frame;
    float mass;
};

__device__ float &at(Matrix &m, int k) { return m.a[k]; }
__device__ float at(const Matrix &m, int k) { return m.a[k]; }

// what only a const matrix has: tells which overload was called
__device__ float weight(Matrix &m) { return m.a[0]; }
__device__ float weight(const Matrix &m) { return 2.0f * m.a[1]; }

__device__ Matrix product(const Matrix &m, const Matrix &o)
{
    Matrix r;
    for (int row = 0; row < 2; ++row)
        for (int col = 0; col < 2; ++col)
            at(r, 2 * row + col) = at(m, 2 * row) * at(o, col) + at(m, 2 * row + 1) * at(o, 2 + col);
    return r;
}

__device__ float by_value(Matrix m) { return weight(m); }
__device__ float by_const_value(const Matrix m) { return weight(m); }
__device__ float by_reference(const Matrix &m) { return weight(m); }

extern "C" __global__ void const_overloads(const Body *x, Matrix *frame, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Matrix m = x[i].frame;
    const Matrix &fixed = m;
    const Body body = x[i];
    const Matrix *read = frame + i;
    float sum = weight(m);
    sum += 3.0f * weight(fixed);
    sum += 5.0f * weight(body.frame);
    sum += 7.0f * weight(x[i].frame);
    sum += 11.0f * weight(frame[i]);
    sum += 13.0f * weight(*read);
    sum += 17.0f * weight(product(m, fixed));
    sum += 19.0f * by_value(body.frame);
    sum += 23.0f * by_const_value(m);
    sum += 29.0f * by_reference(m);
    y[i] = sum * body.mass + at(m, 1) * at(m, 2) * at(fixed, 3);
    at(frame[i], 1) *= at(m, 3) * at(*read, 2);
}
