struct Shape {
    float size;
};
struct Disk : Shape {
//          ^ no-classes: this feature of C++ is not differentiated
    float r;
};

extern "C" __global__ void kernel(const Disk *d, float *y)
{
    y[threadIdx.x] = d[threadIdx.x].r;
}
