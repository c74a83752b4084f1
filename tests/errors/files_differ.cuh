#define FINE
#include "files_differ.h"

__device__ float ahead(float v)
{
    return v + STEP * v * v;
}
