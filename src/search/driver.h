// The loop in which every search is run: a slice, a look at the limits, progress, and again.
//
// What ends a task is told, not thrown: a limit of the run or of the task's own watch, or lack of memory. Only what is
// wrong with the model (ModelFailure, model::EvalFailure) or with us is an exception.
#pragma once

#include <new>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/watch.h"
#include "model/path.h"
#include "search/task.h"

namespace harrier::search {

struct Outcome {
  enum class End : uint8_t {
    Itself,  // status tells how
    Told,    // go_on() was false
    Limit,   // reached, or somebody asked to stop
    Memory,  // there is not enough
  };
  Status status = Status::Running;  // not Running: with End::Itself
  End end = End::Told;
  std::string reason = {};               // with Limit and Memory: "time limit", "memory limit", …
  std::optional<model::Path> path = {};  // with Status::Found, if there is one
};

// `make_task()` is asked for the task, which may be made then; `poll()` throws Error(Limit) when it is over;
// `show(task)` is called after every slice; `go_on(task)` says whether to go on.
template <class MakeTask, class Poll, class Show, class GoOn>
Outcome drive(uint64_t slice, MakeTask&& make_task, Poll&& poll, Show&& show, GoOn&& go_on) {
  Outcome out;
  try {
    Task& task = make_task();
    do {
      out.status = task.advance(slice);
      show(task);
      if (out.status != Status::Running) {
        if (out.status == Status::Found && task.has_path()) out.path = task.path();
        out.end = Outcome::End::Itself;
        return out;
      }
      poll();
    } while (go_on(task));
  } catch (const MemoryLimitReached& e) {
    out = {Status::Running, Outcome::End::Memory, e.what()};
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::Limit) throw;
    out = {Status::Running, Outcome::End::Limit, e.what()};
  } catch (const std::bad_alloc&) {
    out = {Status::Running, Outcome::End::Memory, "out of memory"};
  }
  return out;
}

}  // namespace harrier::search
