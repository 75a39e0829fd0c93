// A shared object with native code, while it is loaded.
#pragma once

#include <string>

#include "native/source.h"
#include "step/native_code.h"
#include "step/network.h"

namespace harrier::native {

class Library {
 public:
  // The object was compiled of the source, and may be removed afterwards. Throws Error(Unsupported) if it cannot be
  // loaded.
  Library(const std::string& path, const Source& source, const step::Network& network);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  const step::NativeCode& code() const { return code_; }

 private:
  void* find(const char* name) const;
  template <class Function>
  void enter(const char* name, const std::vector<uint32_t>& numbers, size_t size, std::vector<Function>& out) const;

  void* handle_;
  step::NativeCode code_;
};

}  // namespace harrier::native
