#include "heur/views.h"

#include "abstraction/workshop.h"

namespace harrier::heur {

namespace {

template <class T, class Make>
std::shared_ptr<const T> shared(std::weak_ptr<const T>& known, Make&& make) {
  std::shared_ptr<const T> view = known.lock();
  if (!view) known = view = make();
  return view;
}

}  // namespace

std::shared_ptr<const task::Task> Views::task(const Watch& watch) {
  return shared(task_, [&] { return std::make_shared<const task::Task>(system_, goal_, watch, costs_); });
}

std::shared_ptr<const task::VariableDomains> Views::domains(const Watch& watch) {
  return shared(domains_, [&] { return std::make_shared<const task::VariableDomains>(task(watch), watch); });
}

std::shared_ptr<const abstraction::Factors> Views::factors(const Watch& watch) {
  return shared(factors_, [&] { return std::make_shared<const abstraction::Factors>(domains(watch), watch); });
}

uint64_t Views::fingerprint() {
  if (!fingerprint_) fingerprint_ = abstraction::fingerprint(system_, goal_, costs_);
  return *fingerprint_;
}

std::shared_ptr<const RelaxedTask> Views::relaxed(Clocks clocks, const Watch& watch) {
  return shared(relaxed_[clocks == Clocks::Use ? 1 : 0],
                [&] { return std::make_shared<const RelaxedTask>(task(watch), clocks, watch); });
}

std::shared_ptr<const step::Network> Views::network(const Watch& watch) {
  if (compiled_ != nullptr) return {std::shared_ptr<void>(), compiled_};
  return shared(network_, [&] { return std::make_shared<const step::Network>(system_, watch); });
}

}  // namespace harrier::heur
