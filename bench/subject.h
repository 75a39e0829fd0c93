// Models to measure on: our own families, and public models beside the project where they are present.
//
//     Subject hanoi = Subject::of_family("hanoi", 6);
//     for (const std::vector<int32_t>& state : hanoi.reachable(1000)) …
//
//     for (const Named& subject : {shared("S1", "dmc/stls/S1.xml"), family("hanoi", 6)}) … subject.source() …
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/source.h"
#include "families/families.h"
#include "harrier/harrier.h"
#include "lang/uppaal/uppaal.h"
#include "search/discrete_space.h"
#include "search/zone_space.h"

namespace harrier::bench {

// Admits states breadth-first until there are `count` of them, or all.
template <class Space>
void explore(Space& space, uint64_t count) {
  uint64_t known = 0;
  space.for_each_initial([&] {
    known = space.admit(store::Origin::kNoParent, 0).id + 1;
    return true;
  });
  for (uint64_t id = 0; id < known && known < count; ++id) {
    if (space.dropped(id)) continue;
    space.for_each_successor(id, [&](const step::Firing&) {
      known = std::max(known, space.admit(id, 0).id + 1);
      return known < count;
    });
    space.release(id);
  }
}

struct Transition {
  std::vector<int32_t> source;
  std::vector<int32_t> target;
  std::vector<uint32_t> edges;
};

class Subject {
 public:
  static Subject of_family(const std::string& family, uint32_t n) {
    const families::Generated generated = families::find_family(family)->generate(n);
    return Subject(generated.model, family, generated.query);
  }
  // A model beside the project, with the query inside it; none if it is not there.
  static std::optional<Subject> of_shared(const std::string& path) {
    const std::string full = HARRIER_SOURCE_DIR "/../shared/models/" + path;
    if (!std::filesystem::is_regular_file(full)) return std::nullopt;
    return Subject(read_file(full), path, "");
  }

  const model::System& system() const { return *loaded_.system; }
  const model::Property& property() const { return property_; }

  // The values of about `count` states, spread evenly over the first `depth` ones of a breadth-first exploration.
  std::vector<std::vector<int32_t>> reachable(uint64_t count, uint64_t depth = 50000) const {
    std::vector<std::vector<int32_t>> states;
    spread(count, depth, [&](auto& space, uint64_t id) {
      states.emplace_back(space.variable_count());
      space.read(id, states.back().data());
    });
    return states;
  }
  // The transitions from these states.
  std::vector<Transition> transitions(uint64_t count, uint64_t depth = 50000) const {
    std::vector<Transition> out;
    spread(count, depth, [&](auto& space, uint64_t id) {
      if (space.dropped(id)) return;
      std::vector<int32_t> source(space.variable_count());
      space.read(id, source.data());
      space.for_each_successor(id, [&](const step::Firing& firing) {
        out.push_back({source,
                       {space.candidate(), space.candidate() + source.size()},
                       {firing.edges.begin(), firing.edges.end()}});
        return true;
      });
    });
    return out;
  }

 private:
  Subject(const std::string& text, const std::string& name, const std::string& query) {
    Diagnostics diagnostics;
    loaded_ = uppaal::load(text, name, diagnostics);
    std::vector<model::Property> properties;
    if (!diagnostics.has_errors()) {
      properties =
          query.empty() ? loaded_.embedded_queries : uppaal::parse_queries(loaded_, query, "query", diagnostics);
    }
    if (properties.empty()) throw std::runtime_error("cannot read " + name);
    property_ = properties[0];
  }

  template <class Visit>
  void spread(uint64_t count, uint64_t depth, Visit&& visit) const {
    if (system().clocks.size() > 1) {
      spread_over<search::ZoneSpace>(count, depth, visit);
    } else {
      spread_over<search::DiscreteSpace>(count, depth, visit);
    }
  }

  template <class Space, class Visit>
  void spread_over(uint64_t count, uint64_t depth, Visit&& visit) const {
    Budget budget;
    const step::Semantics semantics(system(), property_);
    Space space(semantics, budget, false);
    explore(space, depth);
    const uint64_t step = std::max<uint64_t>(1, space.stored() / count);
    for (uint64_t id = 0; id < space.stored(); id += step) visit(space, id);
  }

  uppaal::Loaded loaded_;
  model::Property property_;
};

// A subject that is loaded when a benchmark runs; none if the model is not there.
using Source = std::function<std::optional<Subject>()>;
struct Named {
  std::string name;
  Source source;
};

inline Named family(const std::string& name, uint32_t n) {
  return {name + "-" + std::to_string(n), [=]() -> std::optional<Subject> { return Subject::of_family(name, n); }};
}
inline Named shared(const std::string& name, const std::string& path) {
  return {name, [=] { return Subject::of_shared(path); }};
}

}  // namespace harrier::bench
