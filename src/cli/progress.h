// The live line on a terminal's standard error; silent anywhere else.
#pragma once

#include "harrier/harrier.h"

namespace harrier::cli {

class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool active() const { return active_; }
  void show(const Statistics& statistics);
  void clear();

 private:
  bool active_;
  bool shown_ = false;
};

}  // namespace harrier::cli
