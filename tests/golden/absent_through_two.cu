// s2sad: --of y --wrt x,bias
// An array that may be absent is handed on from one function to another, which asks.
struct Neuron {
    float a, gain;
};

__device__ Neuron shifted(const float *bias, Neuron cell, int i)
{
    cell.a += 1.0f;
    if (bias != nullptr)
        cell.a *= bias[i];
    return cell;
}

__device__ Neuron fired(const float *bias, Neuron cell, int i)
{
    cell = shifted(bias, cell, i);
    cell.gain *= cell.a;
    return cell;
}

__global__ void absent_through_two(const float *x, const float *bias, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Neuron cell = {x[i], 0.5f};
    cell = fired(i % 3 != 0 ? bias : nullptr, cell, i);
    y[i] = cell.a * cell.gain;
}
