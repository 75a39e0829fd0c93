// Marks a function whose loops the compiler shall vectorise for the processor at hand: a 256-bit version is chosen at
// run time where there is one. Sanitizers and function versions do not go together.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define HARRIER_VECTOR __attribute__((target_clones("avx2", "default")))
#else
#define HARRIER_VECTOR
#endif
