// Any text is a model or gives diagnostics: the `.xta` reader.
#include "fuzz/load_any.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  harrier::fuzz::load_any({reinterpret_cast<const char*>(data), size}, "fuzz.xta");
  return 0;
}
