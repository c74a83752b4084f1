// kernel_adj: adjoint of kernel (joined_in_blocks.cu:16).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform joined_in_blocks.cu --of y,z --wrt x --assume launch:1d
//
// Call with x as it was before kernel. Seed adj_y with dJ/dy: it is left alone, because
// kernel stores each element of y at most once. Seed adj_z with dJ/dz: it is left
// alone, because kernel stores each element of z at most once. dJ/dx is added to adj_x.
// y and z are neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x[..]                    reloaded                             nothing stores to it
//   all.product (line 14)    tape_all_product_2, a register       line 17 overwrites it
//   all.product (line 16)    tape_all_product[31], local memory   line 17 changes it in
//                                                                 each iteration
//   parts[..].product        reloaded                             no later store goes to
//                                                                 it
//   all.sum,                 reloaded                             still in its variable
//   all.product (line 26),
//   all (line 14)
//   all (line 16)            tape_all[31], local memory           line 17 changes it in
//                                                                 each iteration
//   b                        recomputed                           from values at hand, in
//                                                                 the reversed iteration
//
// How adjoints are added up:
//   adj_x[..]               +=, one owner   one thread per element
//   adj_parts[..].sum       +=, by phase    between two barriers one thread per element
//   adj_parts[..].product   +=, by phase    between two barriers one thread per element
//   adj_parts[..]           +=, by phase    between two barriers one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps, launch:1d.

struct Moments {
    float sum, product;
};

extern "C" __global__ void kernel_adj(const float *x, float *adj_x,
                                      float *y, const float *adj_y,
                                      float *z, const float *adj_z, int n)
{
    // For a 1-D launch, as it was declared; any other gets NaN.
    if (gridDim.y * gridDim.z * blockDim.y * blockDim.z != 1) {
        adj_x[0] = nanf("");
        return;
    }
    __shared__ Moments parts[32];
    __shared__ Moments adj_parts[32];
    __shared__ float parts_2[32];
    __shared__ float adj_parts_2[32];
    __shared__ float adj_parts_3[32];
    for (int q = threadIdx.x; q < 32; q += blockDim.x) {
        adj_parts[q].sum = 0.0f;
        adj_parts[q].product = 0.0f;
    }
    for (int q = threadIdx.x; q < 32; q += blockDim.x)
        adj_parts_2[q] = 0.0f;
    for (int q = threadIdx.x; q < 32; q += blockDim.x)
        adj_parts_3[q] = 0.0f;
    int i = blockIdx.x * 32 + threadIdx.x;
    Moments own = {0.0f, 1.0f};
    if (i < n) {
        own.sum = sinf(x[i]);
        own.product = x[i];
    }
    parts[threadIdx.x] = own;
    __syncthreads();
    Moments all = own;
    float tape_all_product_2 = all.product;
    if (threadIdx.x == 0)
        for (int k = 1; k < 32; ++k) {
            all.sum = all.sum + parts[k].sum;
            all.product = all.product * parts[k].product;
        }
    const Moments all_2 = all;
    int valid = min(n - (int)blockIdx.x * 32, 32);
    parts_2[threadIdx.x] = own.sum;
    float all_3 = own.sum;
    Moments adj_all = {};
    float adj_some = 0.0f;
    float adj_most = 0.0f;
    if (threadIdx.x == 0) {
        // 32:  z[blockIdx.x] = most + some
        float g = adj_z[blockIdx.x];
        adj_most = g;
        adj_some = g;

        // 31:  y[blockIdx.x] = all.sum * all.product
        float g_2 = adj_y[blockIdx.x];
        adj_all.sum = all_2.product * g_2;
        adj_all.product = all_2.sum * g_2;
    }

    // 29:  float some = Total(adding).Sum(own.product, 20)
    if (threadIdx.x == 0)
        for (int k = 19; k >= 1; --k) {
            // reductions.h:17:  all = operation(all, parts[k])
            adj_parts_3[k] += adj_some;
        }

    // reductions.h:14:  T all = v
    Moments adj_own;
    adj_own.product = adj_some;
    __syncthreads();

    // reductions.h:12:  parts[rank] = v
    adj_own.product += adj_parts_3[threadIdx.x];

    // 27:  float most = Total(adding).Reduce(own.sum, cub::Max{}, min(n - (int)blockIdx.x * 32,
    //      32))
    float adj_all_3 = adj_most;
    if (threadIdx.x == 0) {
        float all = all_3;
        float tape_all[31];
        for (int k = 1; k < valid; ++k) {
            tape_all[k - 1] = all;
            float b = parts_2[k];
            all = all < b ? b : all;
        }
        for (int k = valid - 1; k >= 1; --k) {
            float all = tape_all[k - 1];
            float b = parts_2[k];
            float adj_b = 0.0f;

            // reductions.h:17:  all = operation(all, parts[k])
            float g = adj_all_3;
            adj_all_3 = 0.0f;
            if (all < b)
                adj_b = g;
            else
                adj_all_3 += g;

            // reductions.h:17:  parts[k]
            adj_parts_2[k] += adj_b;
        }
    }

    // reductions.h:14:  T all = v
    adj_own.sum = adj_all_3;
    __syncthreads();

    // reductions.h:12:  parts[rank] = v
    adj_own.sum += adj_parts_2[threadIdx.x];

    // 26:  const Moments all = Joined(joining).Reduce(own, Join{})
    Moments adj_all_2;
    adj_all_2.product = adj_all.product;
    if (threadIdx.x == 0) {
        float all_product = tape_all_product_2;
        float tape_all_product[31];
        for (int k = 1; k < 32; ++k) {
            tape_all_product[k - 1] = all_product;
            all_product = all_product * parts[k].product;
        }
        for (int k = 31; k >= 1; --k) {
            float all_product = tape_all_product[k - 1];

            // reductions.h:17:  all = operation(all, parts[k])
            adj_parts[k].product += all_product * adj_all_2.product;
            adj_all_2.product *= parts[k].product;
            adj_parts[k].sum += adj_all.sum;
        }
    }

    // reductions.h:14:  T all = v
    adj_own.sum += adj_all.sum;
    adj_own.product += adj_all_2.product;
    __syncthreads();

    // reductions.h:12:  parts[rank] = v
    adj_own.sum += adj_parts[threadIdx.x].sum;
    adj_own.product += adj_parts[threadIdx.x].product;
    if (i < n) {
        // 25:  own = {sinf(x[i]), x[i]}
        adj_x[i] += adj_own.product + cosf(x[i]) * adj_own.sum;
    }
}
