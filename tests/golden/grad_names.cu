// s2sad: --of loss --wrt prediction,weight --names grad
// The prefix is the caller's choice.
extern "C" __global__ void grad_names(const float *prediction, const float *target, float weight, float *loss,
                                      float delta, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float error = prediction[i] - target[i];
    float size = fabsf(error);
    if (size <= delta)
        loss[i] = 0.5f * weight * error * error;
    else
        loss[i] = weight * delta * (size - 0.5f * delta);
}
