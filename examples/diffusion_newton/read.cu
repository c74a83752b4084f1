// Reading number `reading`: the temperatures at the sensors, which are in some of the cells.
extern "C" __global__ void read(const double *u, const int *sensors, double *seen, int reading, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        seen[reading * count + i] = u[sensors[i]];
}
