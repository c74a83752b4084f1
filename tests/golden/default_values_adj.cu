// default_values_adj: adjoint of default_values (default_values.cu:32).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform default_values.cu --of y --wrt x
//
// Call with x as it was before default_values. Seed adj_y with dJ/dy: it is left alone,
// because default_values stores each element of y at most once. dJ/dx is added to
// adj_x. y is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   v, plain.gain, said.gain,   reloaded   still in its variable
//   none.gain, mean.share,
//   clamped.range.low,
//   clamped.range.high,
//   clamped.slope
//   said.tails.low[..],         reloaded   no later store goes to it
//   both[..].high
//
// How adjoints are added up:
//   adj_x[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Range {
    float low, high;
};
struct Rule {
    float gain;
    float offset;
    Range inside;
    Range tails[2];
    float bias[2];
    float more;
};
struct Clamped {
    Range range;
    float slope;
};
struct Mean_float_4 {
    float share;
    float sum;
};

extern "C" __global__ void default_values_adj(const float *x, float *adj_x,
                                              float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    Rule plain;
    plain.gain = 1.5f;
    Rule said;
    said.gain = 2.0f;
    said.tails[0].low = -0.5f;
    said.tails[1].low = -0.5f;
    Rule none;
    none.gain = 1.5f;
    Range both[2];
    both[0].high = 0.75f;
    both[1].high = 0.75f;
    Mean_float_4 mean;
    mean.share = (float)1 / 4;
    float width = 0.5f + v * v;
    Clamped clamped;
    clamped.range.low = -width;
    clamped.range.high = 2.0f * width;
    clamped.slope = 0.125f;
    Clamped adj_clamped = {};
    float adj_v;

    // 46:  y[i] = mean.sum + none.gain * clamped(v) + none.offset + none.bias[1] + plain.more +
    //      both[1].high * v * Rule().gain * said.gain
    float g = adj_y[i];
    float g_2 = none.gain * g;
    if (v < clamped.range.low) {
        adj_v = clamped.slope * g_2;
    } else {
        adj_clamped.range.high = v * g_2;
        adj_v = clamped.range.high * g_2;
    }
    adj_v += 1.5f * said.gain * both[1].high * g;

    // 28:  w
    adj_v += 2.0f * v * 2.0f * adj_clamped.range.high;
    // 22:  sum += share * v
    adj_v += mean.share * plain.gain * g;
    // 39:  Rule said = {2.0f, 0.25f, v}
    adj_v += 2.0f * said.tails[1].low * mean.share * g;
    // 37:  float v = x[i]
    adj_x[i] += adj_v;
}
