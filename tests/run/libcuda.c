/* Stands for NVIDIA's libcuda.so.1 where there is no GPU: device memory is the host's, and the kernel that
   tests launch, `scale`, is written here in C. cuda-bindings asks cuGetProcAddress for every function. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int depth = 0, live = 0;

static int fake_cuInit(unsigned flags) { return 0; }
static int fake_cuDriverGetVersion(int *version)
{
    const char *given = getenv("FAKE_CUDA_VERSION");
    *version = given ? atoi(given) : 99000;
    return 0;
}
static int fake_cuDeviceGetCount(int *count) { *count = 1; return 0; }
static int fake_cuDeviceGet(int *device, int ordinal) { *device = ordinal; return 0; }
static int fake_cuDeviceGetName(char *name, int size, int device)
{
    snprintf(name, size, "No GPU at all");
    return 0;
}
static int fake_cuDeviceGetAttribute(int *value, int kind, int device)
{
    *value = kind == 75 ? 9 : 0;
    return 0;
}
static int fake_cuDevicePrimaryCtxRetain(void **context, int device) { *context = &depth; return 0; }
static int fake_cuDevicePrimaryCtxRelease(int device)
{
    fprintf(stderr, "contexts %d, live %d\n", depth, live);
    return 0;
}
static int fake_cuCtxPushCurrent(void *context) { depth++; return context == &depth ? 0 : 201; }
static int fake_cuCtxPopCurrent(void **context) { depth--; *context = &depth; return 0; }
static int fake_cuCtxSynchronize(void) { return depth == 1 ? 0 : 201; }
static int fake_cuModuleLoadData(void **module, const void *image)
{
    *module = malloc(1);
    live++;
    return memcmp(image, "\x7f" "ELF", 4) ? 200 : 0;
}
static int fake_cuModuleUnload(void *module) { free(module); live--; return 0; }
static int fake_cuModuleGetFunction(void **function, void *module, const char *name)
{
    *function = (void *)"scale";
    return strstr(name, "scale") ? 0 : 500;
}
static int fake_cuFuncSetAttribute(void *function, int kind, int value)
{
    return kind == 8 && value <= 227 * 1024 ? 0 : 1;
}
static int fake_cuMemAlloc(uint64_t *place, size_t size) { *place = (uintptr_t)malloc(size); live++; return 0; }
static int fake_cuMemFree(uint64_t place) { free((void *)(uintptr_t)place); live--; return 0; }
static int fake_cuMemcpyHtoD(uint64_t to, const void *from, size_t size)
{
    memcpy((void *)(uintptr_t)to, from, size);
    return 0;
}
static int fake_cuMemcpyDtoH(void *to, uint64_t from, size_t size)
{
    memcpy(to, (void *)(uintptr_t)from, size);
    return 0;
}
static int fake_cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                               unsigned bz, unsigned shared, void *stream, void **params, void **extra)
{
    const float *x = *(float **)params[0];
    float *y = *(float **)params[1];
    struct { float by; long long more; } factor;
    memcpy(&factor, params[2], sizeof factor);
    unsigned char twice = *(unsigned char *)params[3];
    int n = *(int *)params[4];
    if (n < 0)
        return 700;
    for (int i = 0; i < n && i < (int)(gx * bx); i++)
        y[i] = (twice ? 2.0f : 1.0f) * factor.by * x[i] + (float)factor.more + (float)(gy + gz + by + bz + shared);
    return 0;
}
static int fake_cuGetErrorString(int error, const char **text)
{
    *text = error == 700 ? "an illegal memory access was encountered" : "another error";
    return 0;
}

#define FUNCTION(name) { #name, (void *)fake_##name }
static const struct { const char *name; void *function; } functions[] = {
    FUNCTION(cuInit), FUNCTION(cuDriverGetVersion), FUNCTION(cuDeviceGetCount), FUNCTION(cuDeviceGet),
    FUNCTION(cuDeviceGetName), FUNCTION(cuDeviceGetAttribute), FUNCTION(cuDevicePrimaryCtxRetain),
    FUNCTION(cuDevicePrimaryCtxRelease), FUNCTION(cuCtxPushCurrent), FUNCTION(cuCtxPopCurrent),
    FUNCTION(cuCtxSynchronize), FUNCTION(cuModuleLoadData), FUNCTION(cuModuleUnload),
    FUNCTION(cuModuleGetFunction), FUNCTION(cuFuncSetAttribute), FUNCTION(cuMemAlloc), FUNCTION(cuMemFree),
    FUNCTION(cuMemcpyHtoD), FUNCTION(cuMemcpyDtoH), FUNCTION(cuLaunchKernel), FUNCTION(cuGetErrorString),
};

int cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *status)
{
    *function = NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!strcmp(functions[i].name, name))
            *function = functions[i].function;
    if (status)
        *status = *function ? 0 : 1;
    return *function ? 0 : 500;
}
int cuGetProcAddress(const char *name, void **function, int version, uint64_t flags)
{
    return cuGetProcAddress_v2(name, function, version, flags, NULL);
}
