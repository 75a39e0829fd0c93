// Any text is a list of queries or gives diagnostics, against a small fixed model.
#include <cstdlib>
#include <string>

#include "base/error.h"
#include "base/source.h"
#include "lang/uppaal/uppaal.h"
#include "model/printer.h"

namespace {

constexpr const char* kModel = R"(
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
        busy -> idle { guard x >= 2; assign v = twice(n) - v; };
}
process Q() {
  state s;
  init s;
  trans s -> s { sync go?; };
}
system P, Q;
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace harrier;
  Diagnostics model_diagnostics;
  uppaal::Loaded loaded = uppaal::load(kModel, "model.xta", model_diagnostics);
  if (model_diagnostics.has_errors()) std::abort();
  Diagnostics diagnostics;
  try {
    const auto properties =
        uppaal::parse_queries(loaded, std::string(reinterpret_cast<const char*>(data), size), "fuzz.q", diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.all()) format_diagnostic(loaded.system->sources, diagnostic);
    for (const model::Property& property : properties)
      for (const model::Clause& clause : property.goal) model::to_text(*loaded.system, clause);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Internal) std::abort();
  }
  return 0;
}
