// What host programs use of this header is in host.h; the declarations for kernels are included anyway.
#pragma once
