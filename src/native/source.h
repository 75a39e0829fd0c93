// A model written down in C: what step::NativeCode has, for a network and the packing of its states.
//
// The text declares tables of functions, `harrier_values` and so on; here it is told what each entry stands for.
// Nothing of the model's names is in the text, and it includes nothing and calls nothing.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "step/layout.h"
#include "step/network.h"

namespace harrier::native {

struct Source {
  std::string text;
  std::vector<uint32_t> values;   // starts of code
  std::vector<uint32_t> effects;  // likewise
  std::vector<uint32_t> starts;   // numbers of groups
  std::vector<uint32_t> firings;  // edges
  bool unpacks = false;
};

// `questions` are conditions that Machine::value is asked for; what is simple is evaluated without native code
// elsewhere. Throws Error(Unsupported) if the text would be too long.
Source source_of(const step::Network& network, const step::Layout& layout, std::span<const step::Code> questions = {});

}  // namespace harrier::native
