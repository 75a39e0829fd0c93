#include "native/library.h"

#include <dlfcn.h>

#include "base/error.h"

namespace harrier::native {

Library::Library(const std::string& path, const Source& source, const step::Network& network)
    : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) throw Error(ErrorKind::Unsupported, dlerror());
  uint32_t groups = 0;
  network.for_each_starts([&](const auto&) { ++groups; });
  const size_t instructions = network.program().instructions().size();
  enter("harrier_values", source.values, instructions, code_.values);
  enter("harrier_effects", source.effects, instructions, code_.effects);
  enter("harrier_starts", source.starts, groups, code_.starts);
  enter("harrier_firings", source.firings, network.system().edges.size(), code_.firings);
  if (source.unpacks) code_.unpack = reinterpret_cast<step::NativeCode::Unpack>(find("harrier_unpack"));
}

Library::~Library() { dlclose(handle_); }

void* Library::find(const char* name) const {
  void* const found = dlsym(handle_, name);
  if (found == nullptr) throw Error(ErrorKind::Internal, std::string("native code has no ") + name);
  return found;
}

template <class Function>
void Library::enter(const char* name, const std::vector<uint32_t>& numbers, size_t size,
                    std::vector<Function>& out) const {
  const auto* const table = static_cast<const Function*>(find(name));
  out.resize(size);
  for (size_t i = 0; i < numbers.size(); ++i) out[numbers[i]] = table[i];
}

}  // namespace harrier::native
