// a rank found before the condition, stored under it
extern "C" __global__ void rank_before_the_condition(const float *x, float *y, int n){
    __shared__ float s[32];
    int i = blockIdx.x*blockDim.x+threadIdx.x;
    bool keep = i < n && x[i] > 0.2f;
    unsigned m = __ballot_sync(0xffffffffu, keep);
    unsigned below = (1u << (threadIdx.x % 32)) - 1;
    int rank = __popc(below & m);
    if (keep) s[(threadIdx.x / 32) * 32 + rank] = sinf(x[i]);
    __syncwarp();
    if ((threadIdx.x & 31) < __popc(m)) y[32 * blockIdx.x + threadIdx.x] = s[threadIdx.x] * s[threadIdx.x];
}
//--
// kernel = "rank_before_the_condition"
// of = ["y"]
// wrt = ["x"]
// [launch]
// grid = 2
// block = 32
// [args]
// n = 60
// x = { shape = 240, fill = "normal" }
// y = { shape = 240, fill = "zeros" }
