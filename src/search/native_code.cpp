#include "search/native_code.h"

namespace harrier::search {

NativeCode::NativeCode(const step::Semantics& semantics, const Config& config) : asked_(config.native == true) {
  const bool sets = config.as<SymbolicSearch>() != nullptr || config.as<SymbolicWalks>() != nullptr;
  // With clocks, most of the time goes into zones.
  if (sets || config.native == false || (!asked_ && semantics.timed())) return;
  compilation_.emplace(semantics, asked_ ? std::chrono::milliseconds(0) : native::Compilation::kDelay);
  if (asked_) compilation_->wait(config.watching());
}

void NativeCode::tell(Result& result) const {
  if (!compilation_) return;
  const native::Compilation::Report report = compilation_->report();
  if (report.used) result.statistics.native_s = report.seconds;
  if (asked_ && !report.problem.empty()) result.warnings.push_back("no native code: " + report.problem);
}

}  // namespace harrier::search
