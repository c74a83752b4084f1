#ifdef FINE
const float STEP = 0.5f;
#else
const float STEP = 1.0f;
#endif
