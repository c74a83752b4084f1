// bounce_adj: adjoint of bounce (brace_values.cu:7).  Written by s2sad 0.1.0; do not edit.
//     s2sad transform brace_values.cu --of speed,both --wrt balls,speed
//
// Call with balls and speed as they were before bounce. Seed adj_both with dJ/dboth: it
// is left alone, because bounce stores each element of both at most once. adj_speed
// comes in as dJ/dspeed after bounce and goes out as dJ/dspeed before it, element by
// element. dJ/dballs is added to adj_balls. both is neither read nor written. The
// content of speed afterwards is unspecified.
//
// What the reverse sweep needs, and where it finds it:
//   ball.mass, pull.x,       reloaded                 still in its variable
//   pull.y
//   ball.at[..], speed[..]   reloaded                 no later store goes to it
//   speed[i]                 tape_speed, a register   line 16 overwrites it
//
// How adjoints are added up:
//   adj_balls[..].at     +=, one owner   one thread per element
//   adj_balls[..].mass   +=, one owner   one thread per element
//   adj_speed[..]        +=, one owner   one thread per element
//
// Assumed: the launch is 1-D, arrays don't overlap, no index wraps.

struct Ball {
    float at[2];
    float mass;
};

extern "C" __global__ void bounce_adj(const Ball *balls, Ball *adj_balls,
                                      float *__restrict__ speed, float *__restrict__ adj_speed,
                                      float4 *both, const float4 *adj_both, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Ball ball = balls[i];
    float2 pull;
    pull = make_float2(ball.at[0] * ball.mass, ball.at[1] * ball.mass);
    float tape_speed = speed[i];
    speed[i] = speed[i] * pull.x;

    // 17:  both[i] = (float4){pull.x, pull.y * speed[i], sinf(pull.x), 1.0f}
    float2 adj_pull;
    adj_pull.x = cosf(pull.x) * adj_both[i].z + adj_both[i].x;
    float g = adj_both[i].y;
    adj_pull.y = speed[i] * g;
    adj_speed[i] += pull.y * g;

    // 16:  speed[i] = speed[i] * pull.x
    adj_pull.x += tape_speed * adj_speed[i];
    adj_speed[i] *= pull.x;
    Ball adj_ball = {};

    // 15:  pull = {ball.at[0] * ball.mass, ball.at[1] * ball.mass}
    adj_ball.at[1] += ball.mass * adj_pull.y;
    adj_ball.at[0] += ball.mass * adj_pull.x;

    // 13:  auto ball = balls[i]
    adj_balls[i].mass += ball.at[1] * adj_pull.y + ball.at[0] * adj_pull.x;
    adj_balls[i].at[1] += adj_ball.at[1];
    adj_balls[i].at[0] += adj_ball.at[0];
}
