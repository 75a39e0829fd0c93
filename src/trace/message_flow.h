// Messages that go through queues: which are sent and taken out in the steps of a trace, and which is which.
//
//     MessageFlow flow(system);
//     for (…) for (const Transfer& t : flow.step(number, edge, before, after)) …
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/system.h"
#include "trace/trace.h"
#include "trace/values.h"

namespace harrier::trace {

struct Transfer {
  enum class Kind : uint8_t {
    Sent,
    Taken,
    Rewritten,  // anything else: the text is all that is in the queue now
  };
  size_t queue = 0;  // in System::queues
  Kind kind = Kind::Sent;
  std::string text;
  size_t sent_in = 0;  // of what is taken: the number of the step that sent it; 0 is not known
};

class MessageFlow {
 public:
  explicit MessageFlow(const model::System& system) : system_(system), waiting_(system.queues.size()) {}

  // What the step of this number does, whose first edge is this one. Steps come in order; none that sends is left out.
  std::vector<Transfer> step(size_t number, const FiredEdge& edge, const Values& before, const Values& after);

 private:
  const model::System& system_;
  std::vector<std::vector<size_t>> waiting_;  // by queue, of each message: the step in which it was sent
};

}  // namespace harrier::trace
