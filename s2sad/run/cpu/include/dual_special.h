// Tangents of functions that C's library lacks, and of functions composed of several.
#pragma once

namespace cuda_on_cpu {

#define S2SAD_SELF s2sad_dual
#define S2SAD_PART double
#include "dual_number_special.h"
#ifdef S2SAD_HYPER_DUAL
#undef S2SAD_SELF
#undef S2SAD_PART
#define S2SAD_SELF s2sad_hyper
#define S2SAD_PART s2sad_dual
#include "dual_number_special.h"
#endif
#undef S2SAD_SELF
#undef S2SAD_PART

}  // namespace cuda_on_cpu
