extern "C" __global__ void duff(const float *x, float *y, int n)
{
    float s = 0.0f;
    int k = 0;
    switch (n % 2) {
    case 0:
        while (k < n) {
            s += x[k++];
    case 1:
//  ^^^^^^^ label-in-statement: control enters this statement in the middle
            s += x[k++];
        }
    }
    y[threadIdx.x] = s;
}
