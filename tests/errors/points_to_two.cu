// Two halves of a ping-pong: after one step each pointer points into the other array.
extern "C" __global__ void relax(float *u, float *v, int n, int steps)
{
    int i = threadIdx.x;
    float *from = u;
    float *to = v;
    for (int k = 0; k < steps; ++k) {
        to[i] = 0.5f * from[i];
        float *t = from;
        from = to;
//      ^^^^^^^^^ points-to-two: a pointer must point into one array
        to = t;
//      ^^^^^^ points-to-two: a pointer must point into one array
    }
}
