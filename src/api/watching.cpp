#include "api/watching.h"

#include <algorithm>

namespace harrier::api {

std::optional<Watch> time_for_a_witness(const Watch& watch) {
  constexpr double kShare = 0.1;
  constexpr double kLeastSeconds = 1;
  const Watch::Bounds& all = watch.bounds();
  if (all.polls) return std::nullopt;
  const bool stopped = all.stop != nullptr && all.stop->load(std::memory_order_relaxed);
  if (!stopped && !all.seconds) return std::nullopt;
  const double left = all.seconds ? *all.seconds - watch.seconds() : 0;
  const double more = std::max(kLeastSeconds, all.seconds ? kShare * *all.seconds : 0);
  if (!stopped && left >= more) return std::nullopt;
  return std::optional<Watch>(std::in_place, Watch::Bounds{.seconds = std::max(left, 0.0) + more,
                                                           .bytes = all.bytes,
                                                           .bytes_before = all.bytes_before,
                                                           .stop = stopped ? nullptr : all.stop});
}

Statistics of_all(Statistics statistics, const Watch& watch) {
  statistics.time_s = watch.seconds();
  statistics.memory_bytes = std::max(statistics.memory_bytes, watch.peak_bytes());
  return statistics;
}

}  // namespace harrier::api
