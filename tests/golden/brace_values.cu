// Values of structs as lists in braces, a struct by `auto`, arrays that are volatile to the compiler.
struct Ball {
    float at[2];
    float mass;
};

extern "C" __global__ void bounce(const Ball *balls, volatile float *__restrict__ speed, float4 *both,
                                  int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    auto ball = balls[i];
    float2 pull;
    pull = {ball.at[0] * ball.mass, ball.at[1] * ball.mass};
    speed[i] = speed[i] * pull.x;
    both[i] = (float4){pull.x, pull.y * speed[i], sinf(pull.x), 1.0f};
}
