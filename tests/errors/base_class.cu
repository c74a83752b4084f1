struct Shape {
    float size;
};
struct Disk : Shape {
//          ^ no-classes: classes and what belongs to them are not differentiated
    float r;
};

extern "C" __global__ void kernel(const Disk *d, float *y)
{
    y[threadIdx.x] = d[threadIdx.x].r;
}
