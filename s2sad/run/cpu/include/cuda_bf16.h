// What this header declares is in half.h, which a text of half precision gets anyway.
#pragma once
