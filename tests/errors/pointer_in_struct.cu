struct View {
    const float *in;
    int n;
};

__global__ void k(View a, View b, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    View one = a;
    one = b;
//  ^^^^^^^ points-to-two: a pointer must point into one array
    View open;
//  ^^^^^^^^^ pointer-unset: it isn't assigned above this line
    View moved = {x + n, 1};
//                ^^^^^ pointer-to-element: a pointer in a struct must point to the beginning of an array
    y[i] = one.in[i] + open.in[i] + moved.in[i];
}
