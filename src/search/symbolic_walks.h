// Random walks on sets of states: SRMC, and SGRMC with a symbolic pattern database (Bui 2009, chapters 5 and 7).
#pragma once

#include "search/random_walks.h"

namespace harrier::search {

struct SymbolicWalks {
  enum class Draw : uint8_t { Uniform, Branches };

  RandomWalks
      walks;  // without an estimate, Selection, saturation and threads; Restart::Best and Bias::Steps are refused
  bool guided = false;  // by a symbolic pattern database
  Draw draw = Draw::Uniform;

  std::string describe() const;
  void check(const Config& config, const model::Property& property) const;
  std::unique_ptr<Task> task(Aims& aims, Budget& budget) const;
};

}  // namespace harrier::search
