struct Body {
    float3 pos;
    float mass;
};

__device__ float weight(const Body *b) { return b->mass; }
__device__ void halve(Body *b) { b->mass *= 0.5f; }

extern "C" __global__ void refused(Body *bodies, const float3 *pos, const float *x, float *y, int n)
{
    int i = threadIdx.x;
    const Body *moving = bodies + i;
    moving++;
    y[i] = (moving++)->mass;
//          ^^^^^^^^ not-supported: not differentiated yet
    moving = bodies;
//  ^^^^^^^^^^^^^^^ not-supported: not differentiated yet
    Body *nothing;
//  ^^^^^^^^^^^^^ pointer-unset: it isn't assigned above this line
    Body *null = nullptr;
//  ^^^^^^^^^^^^^^^^^^^^ pointer-unset: it isn't assigned above this line
    Body *two = i ? bodies : bodies + n;
//              ^^^^^^^^^^^^^^^^^^^^^^^ not-supported: not differentiated yet
    float3 *writable = pos + i;
//                     ^^^^^^^ type-error: needs `const float3 *`
    const float4 *bits = (const float4 *)x;
    const Body *other = pos + i;
//                      ^^^^^^^ type-error: this is float3 *
    const Body *here = &bodies[i];
    here->mass = 1.0f;
//  ^^^^^^^^^^ assignment-to-const: declared const
    Body one = bodies[i];
    Body *alone = &one;
    y[i] = alone[1].mass;
//         ^^^^^^^^ pointer-beyond: `one` is one value, not an array
    y[i] = (alone + 1)->mass;
//          ^^^^^^^^^ pointer-beyond: `one` is one value, not an array
    y[i] = here == bodies ? 1.0f : 0.0f;
    Body &constant = *here;
//                   ^^^^^ type-error: needs `const`
    const float3 &wrong = bodies[i];
//                        ^^^^^^^^^ type-error: a reference needs a struct of its own type
    y[i] = weight(x + i) + weight(nullptr);
//                ^^^^^ type-error: has another target type
    y[i] = weight(pos + i);
//                ^^^^^^^ type-error: this is float3 *
    halve(&one + 1);
//        ^^^^^^^^ pointer-beyond: `one` is one value, not an array
    y[i] = *here;
//         ^^^^^ type-error: select one of its fields
    y[i] = here.mass;
//         ^^^^^^^^^ type-error: this is Body *; use `->`
}
