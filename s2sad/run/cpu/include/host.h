// Host programs on the CPU: the calls of CUDA's runtime that they make, and launches.
//
// "Device" memory is ordinary memory. A launch runs to its end at once; an error is kept for cudaGetLastError.
#pragma once

#include <stdlib.h>

namespace cuda_on_cpu {

enum cudaError_t { cudaSuccess = 0, cudaErrorMemoryAllocation = 2, cudaErrorLaunchFailure = 719 };
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };

static cudaError_t s2sad_host_error = cudaSuccess;
static char s2sad_host_message[s2sad_message_size];

static inline cudaError_t cudaMalloc(void **to, size_t size)
{
    *to = aligned_alloc(256, (size + 255) / 256 * 256 + 256);
    if (*to)
        memset(*to, 255, size);  // uninitialised values are NaN
    return *to ? cudaSuccess : cudaErrorMemoryAllocation;
}
static inline cudaError_t cudaFree(void *one)
{
    free(one);
    return cudaSuccess;
}
static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t size, cudaMemcpyKind)
{
    memcpy(to, from, size);
    return cudaSuccess;
}
static inline cudaError_t cudaMemset(void *to, int value, size_t size)
{
    memset(to, value, size);
    return cudaSuccess;
}
static inline cudaError_t cudaGetLastError()
{
    cudaError_t found = s2sad_host_error;
    s2sad_host_error = cudaSuccess;
    return found;
}
static inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
static inline const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaErrorMemoryAllocation ? "out of memory" : s2sad_host_message;
}

// kernel<<<grid, block, shared_bytes>>>(arguments…) is rewritten to s2sad_on_host<&kernel>(&kernel, grid, …)(…).
template <auto Kernel, class... P> struct s2sad_host_launch {
    dim3 grid, block;
    size_t shared_bytes;

    void operator()(P... arguments) const
    {
        constexpr s2sad_slots<P...> slots;
        constexpr size_t size = sizeof(s2sad_request) + slots.offset[sizeof...(P)];
        alignas(16) char room[size + 8];
        s2sad_request *request = (s2sad_request *)room;
        *request = {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared_bytes, 1, 0, 1, 0, 0};
        size_t i = 0;
        ((memcpy(request->slots + slots.offset[i++], &arguments, sizeof(P))), ...);
        const size_t blocks = (size_t)grid.x * grid.y * grid.z, threads = (size_t)block.x * block.y * block.z;
        if (blocks == 0 || threads == 0 || threads > 1024) {
            snprintf(s2sad_host_message, sizeof s2sad_host_message, "invalid configuration argument");
            s2sad_host_error = cudaErrorLaunchFailure;
        } else if (s2sad_launch<Kernel>(Kernel, request, s2sad_host_message)) {
            s2sad_host_error = cudaErrorLaunchFailure;
        }
    }
};
template <auto Kernel, class... P>
static s2sad_host_launch<Kernel, P...> s2sad_on_host(void (*)(P...), dim3 grid, dim3 block, size_t shared_bytes = 0)
{
    return {grid, block, shared_bytes};
}

}  // namespace cuda_on_cpu
