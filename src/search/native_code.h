// Native code for the semantics that a search works with, made as the configuration says (native/compilation.h).
#pragma once

#include <optional>

#include "native/compilation.h"
#include "search/config.h"
#include "search/search.h"
#include "step/semantics.h"

namespace harrier::search {

class NativeCode {
 public:
  // If it is asked for, waits until it is there, or known that it will not be. It is in use as long as this is there.
  NativeCode(const step::Semantics& semantics, const Config& config);

  // Says in the result how it went.
  void tell(Result& result) const;

 private:
  bool asked_;
  std::optional<native::Compilation> compilation_;
};

}  // namespace harrier::search
