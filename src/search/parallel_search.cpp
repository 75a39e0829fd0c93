#include "search/parallel_search.h"

#include <utility>

#include "base/error.h"
#include "search/parallel_discrete.h"
#include "search/parallel_zones.h"
#include "store/origin.h"

namespace harrier::search {

namespace {

template <class S>
std::unique_ptr<Task> make(const step::Semantics& semantics, const Config& config,
                           std::shared_ptr<const model::Symmetry> symmetry, Budget& budget) {
  const BreadthFirstSearch& search = *config.as<BreadthFirstSearch>();
  const bool reduce = config.reduces(semantics.system(), semantics.property());
  return std::make_unique<ParallelSearch<S>>(
      semantics, budget,
      typename ParallelSearch<S>::Options{search.threads_for(config, semantics.system()), search.threads_from,
                                          config.depth_limit, reduce, std::move(symmetry)});
}

}  // namespace

uint32_t label_of_all(uint32_t label, uint32_t who, uint32_t threads) {
  const uint64_t all = uint64_t{label} * threads + who;
  if (all < store::Origin::kMostLabels) return static_cast<uint32_t>(all);
  throw Error(ErrorKind::Unsupported, "unsupported: more than " + std::to_string(store::Origin::kMostLabels) +
                                          " different transitions, those of each thread counted");
}

std::unique_ptr<Task> make_parallel_task(const step::Semantics& semantics, const Config& config,
                                         std::shared_ptr<const model::Symmetry> symmetry, Budget& budget) {
  return semantics.timed() ? make<ParallelZoneSpace>(semantics, config, std::move(symmetry), budget)
                           : make<ParallelDiscreteSpace>(semantics, config, std::move(symmetry), budget);
}

}  // namespace harrier::search
