// Objects that hold something where nobody says what: values in the class, and what constructors of fields make.
// s2sad: --of y --wrt x
struct Range {
    float low, high;
    __device__ Range() : low(-0.5f), high(0.75f) {}
    __device__ Range(float width) : low(-width), high(2.0f * width) {}
};

struct Rule {
    float gain = 1.5f;
    float offset;
    Range inside;
    Range tails[2];
    float bias[2] = {};
    float more{};
};

template <typename T, int N>
struct Mean {
    T share = T(1) / N;
    T sum = 0;
    __device__ void add(T v) { sum += share * v; }
};

struct Clamped {
    Range range;
    float slope;
    __device__ Clamped(float w) : range(w), slope(0.125f) {}
    __device__ float operator()(float v) const { return v < range.low ? slope * v : range.high * v; }
};

extern "C" __global__ void default_values(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    Rule plain;
    Rule said = {2.0f, 0.25f, v};
    Rule none{};
    Range both[2];
    Mean<float, 4> mean;
    mean.add(v * plain.gain);
    mean.add(said.inside.high * said.tails[1].low);
    Clamped clamped(0.5f + v * v);
    y[i] = mean.sum + none.gain * clamped(v) + none.offset + none.bias[1] + plain.more + both[1].high * v * Rule().gain * said.gain;
}
