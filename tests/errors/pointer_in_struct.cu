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
//                ^^^^^ pointer-value: only two pointers into one array are compared
    y[i] = one.in[i] + open.in[i] + moved.in[i];
}
