// How precisely useless transitions are recognised (Wehrle 2011, table 3.4): greedy search that puts them back,
// compared with the true distances to the error on every transition that creates a state.
//
//     useless_precision dmc/arbiter/A3.xml hU hL dU    # a model without clocks in ../shared/models
#include <cstdint>
#include <deque>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "bench/subject.h"
#include "heur/table.h"
#include "search/discrete_space.h"
#include "search/explorer.h"
#include "search/frontier.h"
#include "search/guide.h"
#include "search/useless.h"

namespace harrier::bench {
namespace {

using Values = std::vector<int32_t>;
constexpr uint32_t kNever = UINT32_MAX;

Values values_of(const search::DiscreteSpace& space, uint64_t id) {
  Values values(space.variable_count());
  space.read(id, values.data());
  return values;
}

// The length of a shortest path to the error from every reachable state; kNever if there is none.
std::map<Values, uint32_t> true_distances(const Subject& subject) {
  Budget budget;
  const step::Semantics semantics(subject.system(), subject.property());
  search::DiscreteSpace space(semantics, budget, false);
  std::vector<std::vector<uint64_t>> predecessors;
  std::vector<uint32_t> distance;
  std::deque<uint64_t> reached;
  const auto take = [&](uint64_t parent) {
    const store::Admission admission = space.admit(parent, 0);
    if (admission.fresh) {
      predecessors.emplace_back();
      distance.push_back(space.goal() ? 0 : kNever);
      if (distance.back() == 0) reached.push_back(admission.id);
    }
    if (parent != store::Origin::kNoParent) predecessors[admission.id].push_back(parent);
    return true;
  };
  space.for_each_initial([&] { return take(store::Origin::kNoParent); });
  for (uint64_t id = 0; id < space.stored(); ++id) {
    space.for_each_successor(id, [&](const step::Firing&) { return take(id); });
  }
  for (; !reached.empty(); reached.pop_front()) {
    for (const uint64_t p : predecessors[reached.front()]) {
      if (distance[p] != kNever) continue;
      distance[p] = distance[reached.front()] + 1;
      reached.push_back(p);
    }
  }
  std::map<Values, uint32_t> out;
  for (uint64_t id = 0; id < space.stored(); ++id) out.emplace(values_of(space, id), distance[id]);
  return out;
}

// A frontier that also writes down which state was created from which, and whether it was put back.
class Recorder : public search::Frontier {
 public:
  struct Created {
    uint64_t source;
    uint64_t target;
    bool put_back;
  };

  explicit Recorder(Budget& budget) : queues_(budget, 0, 1) {}
  void add(const search::Ticket& ticket) override {
    if (source_) created_.push_back({*source_, ticket.id, ticket.rank > 0});
    queues_.add(ticket);
  }
  std::optional<search::Next> next() override {
    const std::optional<search::Next> next = queues_.next();
    if (next) source_ = next->id;
    return next;
  }
  uint64_t size() const override { return queues_.size(); }
  const std::vector<Created>& created() const { return created_; }

 private:
  search::BestFirst queues_;
  std::optional<uint64_t> source_;
  std::vector<Created> created_;
};

// Positive: classified as useless. True: rightly so; a transition is useless if it starts no shortest path to the
// error.
nlohmann::ordered_json precision(const Subject& subject, const std::map<Values, uint32_t>& distances,
                                 const heur::Entry& entry) {
  Budget budget;
  const step::Semantics semantics(subject.system(), subject.property());
  search::DiscreteSpace space(semantics, budget, false);
  const search::Preferences options;
  std::vector<std::unique_ptr<search::Estimator>> estimators;
  estimators.push_back(std::make_unique<search::HeuristicEstimator>(
      search::Aims(semantics).guidance(heur::Recipe(entry.name), {}, false, Watch::none()), 0, budget));
  std::vector<std::unique_ptr<search::Preference>> preferences;
  preferences.push_back(std::make_unique<search::Useless>(
      search::PreferenceTask{semantics, options, budget, estimators[0]->heuristic()}));
  search::Guide guide(std::move(estimators), std::move(preferences));
  Recorder recorder(budget);
  search::Explorer<search::DiscreteSpace> explorer(space, recorder, &guide, budget, {});
  while (explorer.advance(UINT64_MAX) == search::Status::Running) {
  }
  nlohmann::ordered_json out = {{"heuristic", entry.name},
                                {"transitions", recorder.created().size()},
                                {"TP", 0},
                                {"TN", 0},
                                {"FP", 0},
                                {"FN", 0}};
  for (const Recorder::Created& t : recorder.created()) {
    const uint32_t before = distances.at(values_of(space, t.source));
    const uint32_t after = distances.at(values_of(space, t.target));
    const bool useless = after >= before;
    const std::string kind = std::string(t.put_back == useless ? "T" : "F") + (t.put_back ? "P" : "N");
    out[kind] = out[kind].get<uint64_t>() + 1;
  }
  return out;
}

int run(std::span<char*> arguments) {
  const std::optional<Subject> subject = arguments.empty() ? std::nullopt : Subject::of_shared(arguments[0]);
  if (!subject || subject->system().clocks.size() > 1) {
    std::cerr << "usage: useless_precision MODEL HEURISTIC…, with a model without clocks below ../shared/models\n";
    return 2;
  }
  const std::map<Values, uint32_t> distances = true_distances(*subject);
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const char* name : arguments.subspan(1)) {
    const heur::Entry* entry = heur::find(name);
    if (entry == nullptr) throw std::runtime_error("unknown heuristic '" + std::string(name) + "'");
    rows.push_back(precision(*subject, distances, *entry));
  }
  std::cout << rows.dump(1) << "\n";
  return 0;
}

}  // namespace
}  // namespace harrier::bench

int main(int argc, char** argv) {
  try {
    return harrier::bench::run(std::span(argv, static_cast<size_t>(argc)).subspan(1));
  } catch (const std::exception& e) {
    std::cerr << "useless_precision: " << e.what() << "\n";
    return 2;
  }
}
