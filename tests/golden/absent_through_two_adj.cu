// absent_through_two_adj: adjoint of absent_through_two (absent_through_two.cu:22).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform absent_through_two.cu --of y --wrt x,bias
//
// Call with x and bias as they were before absent_through_two. Seed adj_y with dJ/dy:
// it is left alone, because absent_through_two stores each element of y at most once.
// dJ/dx is added to adj_x; dJ/dbias is added to adj_bias. y is neither read nor
// written.
//
// What the reverse sweep needs, and where it finds it:
//   cell.a (line 9)       tape_cell_a, a register      line 11 overwrites it
//   bias[..]              reloaded                     nothing stores to it
//   cell.gain (line 17)   tape_cell_gain, a register   line 18 overwrites it
//   cell.a (line 28),     reloaded                     still in its variable
//   cell.gain (line 28)
//
// How adjoints are added up:
//   adj_x[..]      +=, one owner   one thread per element
//   adj_bias[..]   +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Neuron {
    float a, gain;
};

__global__ void absent_through_two_adj(const float *x, float *adj_x,
                                       const float *bias, float *adj_bias,
                                       float *y, const float *adj_y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Neuron cell = {x[i], 0.5f};
    bool has_bias = i % 3 != 0;
    Neuron cell_2 = cell;
    Neuron cell_3 = cell_2;
    cell_3.a += 1.0f;
    float tape_cell_a = cell_3.a;
    if (has_bias)
        cell_3.a *= bias[i];
    cell_2 = cell_3;
    float tape_cell_gain = cell_2.gain;
    cell_2.gain *= cell_2.a;
    cell = cell_2;

    // 29:  y[i] = cell.a * cell.gain
    float g = adj_y[i];
    Neuron adj_cell;
    adj_cell.a = cell.gain * g;

    // 28:  cell = fired(i % 3 != 0 ? bias : nullptr, cell, i)
    Neuron adj_cell_2;
    adj_cell_2.a = adj_cell.a;

    // 18:  cell.gain *= cell.a
    adj_cell_2.a += tape_cell_gain * cell.a * g;

    // 17:  cell = shifted(bias, cell, i)
    Neuron adj_cell_3;
    adj_cell_3.a = adj_cell_2.a;
    if (has_bias) {
        // 11:  cell.a *= bias[i]
        adj_bias[i] += tape_cell_a * adj_cell_3.a;
        adj_cell_3.a *= bias[i];
    }

    // 17:  cell
    adj_cell_2.a = adj_cell_3.a;
    // 28:  cell
    adj_cell.a = adj_cell_2.a;
    // 27:  Neuron cell = {x[i], 0.5f}
    adj_x[i] += adj_cell.a;
}
