// Max pooling that keeps where each maximum was, index type and layout as template arguments.
#include <ATen/native/cuda/KernelUtils.cuh>

namespace at { namespace native {
namespace {

template <typename index_t> struct Window {
    index_t begin, end;
    __device__ Window(index_t out, int kernel, int stride, int pad, index_t size)
        : begin(out * stride - pad), end(begin + kernel)
    {
        if (end > size)
            end = size;
        while (begin < 0)
            ++begin;
    }
};

template <typename scalar_t, typename index_t>
C10_LAUNCH_BOUNDS_1(256)
__global__ void max_pool_forward(const index_t nthreads, const scalar_t *bottom_data, const index_t height,
                                 const index_t width, const int pooled_height, const int pooled_width,
                                 const int kernel, const int stride, const int pad, scalar_t *top_data,
                                 int64_t *top_mask)
{
    CUDA_KERNEL_LOOP_TYPE(index, nthreads, index_t)
    {
        const index_t pw = index % pooled_width, ph = index / pooled_width % pooled_height;
        const index_t c = index / pooled_width / pooled_height;
        const Window<index_t> rows(ph, kernel, stride, pad, height), columns(pw, kernel, stride, pad, width);
        const scalar_t *slice = bottom_data + c * height * width;
        index_t where = rows.begin * width + columns.begin;
        scalar_t largest = -std::numeric_limits<scalar_t>::infinity();
        for (index_t h = rows.begin; h < rows.end; ++h)
            for (index_t w = columns.begin; w < columns.end; ++w)
                if (slice[h * width + w] > largest || ::isnan(slice[h * width + w])) {
                    where = h * width + w;
                    largest = slice[where];
                }
        top_data[index] = largest;
        top_mask[index] = where;
    }
}

// Each pixel gathers from the windows that it is in.
template <typename scalar_t, typename index_t>
C10_LAUNCH_BOUNDS_1(256)
__global__ void max_pool_backward(const scalar_t *top_diff, const int64_t *top_mask, const index_t height,
                                  const index_t width, const int pooled_height, const int pooled_width,
                                  const int kernel, const int stride, const int pad, scalar_t *bottom_diff)
{
    CUDA_KERNEL_LOOP_TYPE(index, height * width, index_t)
    {
        const int h = index / width, w = index % width;
        const int phstart = h + pad < kernel ? 0 : (h + pad - kernel) / stride + 1;
        const int phend = ::min((h + pad) / stride + 1, pooled_height);
        const int pwstart = w + pad < kernel ? 0 : (w + pad - kernel) / stride + 1;
        const int pwend = ::min((w + pad) / stride + 1, pooled_width);
        const int c = blockIdx.y;
        at::acc_type<scalar_t, true> gradient = 0;
        for (int ph = phstart; ph < phend; ++ph)
            for (int pw = pwstart; pw < pwend; ++pw) {
                const int at = (c * pooled_height + ph) * pooled_width + pw;
                if (top_mask[at] == index)
                    gradient += top_diff[at];
            }
        bottom_diff[c * height * width + index] = static_cast<scalar_t>(gradient);
    }
}

}  // namespace
}}  // namespace at::native
