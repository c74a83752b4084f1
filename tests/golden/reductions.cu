// s2sad: --of out --wrt x
// A reduction over segments whose kind is a template argument from a scoped enumeration, as
// scatter and segment kernels have it.
enum class Kind : unsigned char { sum, mean, norm = 4 };

template <typename T, Kind KIND>
struct Reducer;

template <Kind KIND, typename T>
__device__ T combined(T so_far, T v)
{
    if constexpr (KIND == Kind::norm)
        return so_far + v * v;
    return so_far + v;
}

template <typename T, Kind KIND>
__global__ void reduce_segments(const T *x, T *out, int segments, int length)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= segments)
        return;
    T total = 0;
    for (int k = 0; k < length; ++k)
        total = combined<KIND>(total, x[s * length + k]);
    const Kind kind = KIND;
    switch (kind) {
    case Kind::mean:
        total /= length;
        break;
    case Kind::norm:
        total = sqrt(total);
        break;
    default:
        break;
    }
    out[s] = total;
}

void reduce(const float *x, float *out, int segments, int length)
{
    reduce_segments<float, Kind::norm><<<(segments + 127) / 128, 128>>>(x, out, segments, length);
}
