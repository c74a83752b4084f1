// The declarations of this header are in half.h, which is included anyway for half precision.
#pragma once
