// price_adj: adjoint of price (option_book.cu:14).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform option_book.cu --of call,put --wrt opts
//
// Call with opts as it was before price. Seed adj_put with dJ/dput: it is left alone,
// because price stores each element of put at most once. adj_call comes in as dJ/dcall
// after price and goes out as dJ/dcall before it, element by element. dJ/dopts is added
// to adj_opts. call and put are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   o.S, o.K, o.r, o.sigma,    recomputed   from values at hand, in the reversed
//                                           iteration
//   o.T, sqrtT, d1, d2, disc
//
// How adjoints are added up:
//   adj_opts[..].S       +=, one owner   each thread has elements of its own
//   adj_opts[..].K       +=, one owner   each thread has elements of its own
//   adj_opts[..].r       +=, one owner   each thread has elements of its own
//   adj_opts[..].sigma   +=, one owner   each thread has elements of its own
//   adj_opts[..].T       +=, one owner   each thread has elements of its own
//   adj_call[..]         +=, one owner   each thread has elements of its own
//
// At kinks and singular points:
//   sqrtf: where its partial is infinite a zero adjoint contributes zero
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Option { float S, K, r, sigma, T; };

static __device__ inline float cnd(float d)
{
    return 0.5f * erfcf(-d * 0.70710678f);
}

static __device__ float cnd_adj(float d, float adj_cnd)
{
    // 4:  return 0.5f * erfcf(-d * 0.70710678f)
    return 0.5f * 1.1283791670955126f * 0.70710678f * expf(-(-d * 0.70710678f) * (-d * 0.70710678f))
        * adj_cnd;
}

__global__ void price_adj(const Option *opts, Option *adj_opts,
                          float *call, float *adj_call,
                          float *put, const float *adj_put, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        Option o = opts[i];
        const float sqrtT = sqrtf(o.T);
        const float d1 = (logf(o.S / o.K) + (o.r + 0.5f * o.sigma * o.sigma) * o.T)
                         / (o.sigma * sqrtT);
        const float d2 = d1 - o.sigma * sqrtT;
        const float disc = __expf(-o.r * o.T);

        // 12:  *put = *call - o.S + o.K * disc
        float g = adj_put[i];
        adj_call[i] += g;
        Option adj_o;
        adj_o.S = -g;
        adj_o.K = disc * g;
        float adj_disc = o.K * g;

        // 11:  *call = o.S * cnd(d1) - o.K * disc * cnd(d2)
        float g_2 = adj_call[i];
        adj_o.S += cnd(d1) * g_2;
        float adj_d1 = cnd_adj(d1, o.S * g_2);
        float g_3 = -(cnd(d2) * g_2);
        adj_o.K += disc * g_3;
        adj_disc += o.K * g_3;
        float adj_d2 = cnd_adj(d2, -(o.K * disc * g_2));
        adj_call[i] = 0.0f;

        // 10:  const float disc = __expf(-o.r * o.T)
        float g_4 = disc * adj_disc;
        adj_o.r = -(o.T * g_4);
        adj_o.T = -(o.r * g_4);

        // 9:  const float d2 = d1 - o.sigma * sqrtT
        adj_d1 += adj_d2;
        adj_o.sigma = -(sqrtT * adj_d2);
        float adj_sqrtT = -(o.sigma * adj_d2);

        // 8:  const float d1 = (logf(o.S / o.K) + (o.r + 0.5f * o.sigma * o.sigma) * o.T) /
        //     (o.sigma * sqrtT)
        float g_5 = adj_d1 / (o.sigma * sqrtT);
        float g_6 = g_5 / (o.S / o.K) / o.K;
        adj_o.S += g_6;
        adj_o.K -= o.S / o.K * g_6;
        float g_7 = o.T * g_5;
        adj_o.r += g_7;
        adj_o.sigma += o.sigma * g_7;
        adj_o.T += (o.r + 0.5f * o.sigma * o.sigma) * g_5;
        float g_8 = -(d1 * g_5);
        adj_o.sigma += sqrtT * g_8;
        adj_sqrtT += o.sigma * g_8;

        // 7:  const float sqrtT = sqrtf(o.T)
        if (adj_sqrtT != 0.0f)
            adj_o.T += 0.5f * adj_sqrtT / sqrtT;

        // 17:  Option o = opts[i]
        adj_opts[i].S += adj_o.S;
        adj_opts[i].K += adj_o.K;
        adj_opts[i].r += adj_o.r;
        adj_opts[i].sigma += adj_o.sigma;
        adj_opts[i].T += adj_o.T;
    }
}
