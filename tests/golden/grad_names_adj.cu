// grad_names_adj: adjoint of grad_names (grad_names.cu:3).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform grad_names.cu --of loss --wrt prediction,weight --names grad
//
// Call with prediction and target as they were before grad_names. Seed grad_loss with
// dJ/dloss: it is left alone, because grad_names stores each element of loss at most
// once. dJ/dprediction is added to grad_prediction; dJ/dweight is added to grad_weight.
// loss is neither read nor written.
//
// What the reverse sweep needs, and where it finds it:
//   error, size   reloaded   still in its variable
//
// How adjoints are added up:
//   grad_prediction[..]   +=, one owner       one thread per element
//   grad_weight           reduced per block   every thread has its share in it
//
// At kinks and singular points:
//   fabsf: at 0 its derivative is 0
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

// Adds what all threads of the block bring, as one atomicAdd. All of them call it, once.
static __device__ void block_add(float *where, float value)
{
    __shared__ float sums[32];
    for (int d = 16; d > 0; d /= 2) {
        float above = __shfl_down_sync(0xffffffffu, value, d);
        if (threadIdx.x + d < blockDim.x)  // the last warp may be short
            value += above;
    }
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; 32 * warp < blockDim.x; ++warp)
            value += sums[warp];
        if (value != 0.0f)  // an element that no thread reads needn't exist
            atomicAdd(where, value);
    }
}

extern "C" __global__ void grad_names_adj(const float *prediction, float *grad_prediction,
                                          const float *target,
                                          float weight, float *grad_weight,
                                          float *loss, const float *grad_loss, float delta, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float grad_weight_sum = 0.0f;
    if (i < n) {
        float error = prediction[i] - target[i];
        float size = fabsf(error);
        float grad_size = 0.0f;
        float grad_error = 0.0f;
        if (size <= delta) {
            // 12:  loss[i] = 0.5f * weight * error * error
            float g = grad_loss[i];
            grad_weight_sum = 0.5f * error * error * g;
            grad_error = weight * error * g;
        } else {
            // 14:  loss[i] = weight * delta * (size - 0.5f * delta)
            float g = grad_loss[i];
            grad_weight_sum = (size - 0.5f * delta) * delta * g;
            grad_size = weight * delta * g;
        }

        // 10:  float size = fabsf(error)
        grad_error += (error > 0.0f ? 1.0f : error < 0.0f ? -1.0f : 0.0f) * grad_size;
        // 9:  float error = prediction[i] - target[i]
        grad_prediction[i] += grad_error;
    }
    block_add(grad_weight, grad_weight_sum);
}
