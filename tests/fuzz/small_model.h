// The fixed small model against which queries and traces are read.
#pragma once

#include <cstdlib>

#include "base/source.h"
#include "lang/uppaal/uppaal.h"

namespace harrier::fuzz {

inline constexpr const char* kSmallModel = R"(
const int N = 2;
typedef int[0,N-1] id_t;
typedef struct { int[0,3] a; bool b[2]; } pair_t;
int[-5,5] v;
bool flags[N];
pair_t pair;
clock t;
chan go;
int twice(int x) { return 2 * x; }
process P(const id_t i) {
  clock x;
  int[0,9] n;
  state idle, busy { x <= 5 };
  init idle;
  trans idle -> busy { guard v < 3; sync go!; assign x = 0, n = i; },
        busy -> idle { guard x >= 2; assign v = v + twice(n), flags[i] = true; };
}
process Q() {
  state s;
  init s;
  trans s -> s { sync go?; };
}
system P, Q;
)";

inline uppaal::Loaded small_model() {
  Diagnostics diagnostics;
  uppaal::Loaded loaded = uppaal::load(kSmallModel, "small.xta", diagnostics);
  if (diagnostics.has_errors()) std::abort();
  return loaded;
}

}  // namespace harrier::fuzz
