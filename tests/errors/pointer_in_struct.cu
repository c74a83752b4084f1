struct View {
    const float *in;
    int n;
};

__global__ void k(View a, View b, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    View one = a;
    one = b;
//  ^^^^^^^ points-to-two: a pointer means elements of one array
    View open;
//  ^^^^^^^^^ pointer-unset: nothing was assigned to it above this line
    View moved = {x + n, 1};
//                ^^^^^ pointer-to-element: such a pointer means an array from its beginning on
    y[i] = one.in[i] + open.in[i] + moved.in[i];
}
