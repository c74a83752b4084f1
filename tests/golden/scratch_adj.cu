// scratch_adj: adjoint of scratch (scratch.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform scratch.cu --of out --wrt in
//
// Call with in and work as they were before scratch. Seed adj_out with dJ/dout: it is
// left alone, because scratch stores each element of out at most once. adj_work must
// come in zero; its content afterwards is unspecified. dJ/din is added to adj_in. out
// is neither read nor written. The content of work afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   in[..]        reloaded                nothing stores to it
//   work[2 * i]   tape_work, a register   line 9 overwrites it
//   work[..]      reloaded                no later store goes to it
//
// How adjoints are added up:
//   adj_in[..]     +=, one owner   one thread per element
//   adj_work[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

extern "C" __global__ void scratch_adj(const double *in, double *adj_in,
                                       double *work, double *adj_work,
                                       double *out, const double *adj_out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    work[2 * i] = exp(in[i]);
    double tape_work = work[2 * i];
    work[2 * i + 1] = work[2 * i] * in[i];
    work[2 * i] = sin(work[2 * i + 1]) + 1.0;

    // 11:  out[i] = work[2 * i] * work[2 * i + 1]
    double g = adj_out[i];
    adj_work[2 * i] += work[2 * i + 1] * g;
    adj_work[2 * i + 1] += work[2 * i] * g;

    // 10:  work[2 * i] = sin(work[2 * i + 1]) + 1.0
    double g_2 = adj_work[2 * i];
    adj_work[2 * i] = 0.0;
    adj_work[2 * i + 1] += cos(work[2 * i + 1]) * g_2;

    // 9:  work[2 * i + 1] = work[2 * i] * in[i]
    double g_3 = adj_work[2 * i + 1];
    adj_work[2 * i + 1] = 0.0;
    adj_work[2 * i] += in[i] * g_3;
    adj_in[i] += tape_work * g_3;

    // 8:  work[2 * i] = exp(in[i])
    adj_in[i] += exp(in[i]) * adj_work[2 * i];
    adj_work[2 * i] = 0.0;
}
