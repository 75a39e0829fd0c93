// The way from the texts of a planning task to a model: parse, ground, find groups, encode, lower. Each part is timed,
// and if it runs into a limit, that is told with what had been used by then.
#pragma once

#include <new>
#include <string>

#include "base/source.h"
#include "base/watch.h"
#include "harrier/language.h"
#include "lang/pddl/finite_domain.h"
#include "lang/pddl/lower.h"
#include "lang/pddl/task.h"

namespace harrier::pddl {

class Stopwatch {
 public:
  explicit Stopwatch(const Watch& watch) : watch_(watch) {}

  // What `work` returns. `name` follows "while": "grounding".
  template <class Work>
  auto time(const char* name, double& seconds, Work&& work) const {
    const double start = watch_.seconds();
    try {
      auto out = work();
      watch_.poll();
      seconds = watch_.seconds() - start;
      return out;
    } catch (const Error& e) {
      if (e.kind() == ErrorKind::Limit) throw reached(e.what(), name);
      throw;
    } catch (const std::bad_alloc&) {
      throw reached("out of memory", name);
    }
  }

 private:
  Error reached(const std::string& limit, const char* name) const;

  const Watch& watch_;
};

// All that comes after parsing, but lowering. With errors, the result must not be used.
FiniteTask translate(const Task& task, const Stopwatch& stopwatch, Diagnostics& diagnostics);

// A task as a model, with what is told of the way to it.
struct Translated {
  Lowered lowered;
  harrier::Translation statistics;
  bool solvable = true;
};
Translated to_model(const FiniteTask& task, const Stopwatch& stopwatch, const Watch& watch);

}  // namespace harrier::pddl
