// The discrete Fourier transform of a batch of signals of length 2^LOG2, by radix 2 in shared memory. A block is
// one signal, a thread one butterfly of each stage.
#define LOG2 6
#define LENGTH (1 << LOG2)

// s2sad: --of out --wrt in --assume injective:s
extern "C" __global__ void fft(const double2 *__restrict__ in, double2 *__restrict__ out)
{
    __shared__ double2 s[LENGTH];
    for (int k = threadIdx.x; k < LENGTH; k += LENGTH / 2)
        s[__brev(k) >> (32 - LOG2)] = in[blockIdx.x * LENGTH + k];
    __syncthreads();
    for (int half = 1; half < LENGTH; half *= 2) {
        const int within = threadIdx.x % half;
        const int upper = 2 * threadIdx.x - within, lower = upper + half;
        double si, co;
        sincospi(-(double)within / half, &si, &co);
        const double2 a = s[upper], b = s[lower];
        const double re = b.x * co - b.y * si, im = b.x * si + b.y * co;
        s[upper] = make_double2(a.x + re, a.y + im);
        s[lower] = make_double2(a.x - re, a.y - im);
        __syncthreads();
    }
    for (int k = threadIdx.x; k < LENGTH; k += LENGTH / 2)
        out[blockIdx.x * LENGTH + k] = s[k];
}
