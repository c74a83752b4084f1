// device_parts_adj: adjoint of device_parts (device_parts.cu:37).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform device_parts.cu --of out --wrt v
//
// Call with v as it was before device_parts. Seed adj_out with dJ/dout: it is left
// alone, because device_parts only adds to out. dJ/dv is added to adj_v. out is neither
// read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   x, self.most   reloaded   still in its variable
//
// How adjoints are added up:
//   adj_v[..]   atomicAdd   unless the launch is 1-D, several threads read the same
//                           v[i]
//
// Assumed: arrays don't overlap, no index wraps.

struct Table_float {
    float *data;
    int rows;
    int columns;
};

extern "C" __global__ void device_parts_adj(const float *v, float *adj_v,
                                            float *out, const float *adj_out, int rows, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Table_float sums;
    sums.columns = columns;
    if (i < rows * columns) {
        float x = v[i];
        int r = i % rows;
        int c = i / rows;
        float self_most = 8.0f;
        self_most *= 0.5f;
        float self_most_2 = 8.0f;
        self_most_2 *= 0.5f;

        // 45:  add(&sums.data[sums.at(rows - 1, c)], 0.25f * x)
        float adj_x = 0.25f * self_most_2 * adj_out[(rows - 1) * sums.columns + c];
        // 44:  add(&sums.data[sums.at(r, c)], x * x)
        adj_x += 2.0f * x * self_most * adj_out[r * sums.columns + c];
        // 42:  float x = v[i]
        atomicAdd(&adj_v[i], adj_x);
    }
}
