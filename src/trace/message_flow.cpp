#include "trace/message_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace harrier::trace {

std::vector<Transfer> MessageFlow::step(size_t number, const FiredEdge& edge, const Values& before,
                                        const Values& after) {
  std::vector<Transfer> out;
  const bool ends = ends_process(system_, id_of(edge));  // its queues end with it
  for (size_t q = 0; q < system_.queues.size(); ++q) {
    const auto old = messages(system_, system_.queues[q], before);
    const auto now = messages(system_, system_.queues[q], after);
    std::vector<size_t>& sent_in = waiting_[q];
    sent_in.resize(old.size(), 0);
    if (old == now) continue;
    const bool sent = now.size() == old.size() + 1;
    const bool taken = now.size() + 1 == old.size();
    const auto& longer = sent ? now : old;
    const auto& shorter = sent ? old : now;
    const auto [at, rest] = std::mismatch(longer.begin(), longer.end(), shorter.begin(), shorter.end());
    const auto place = at - longer.begin();
    if (ends || !(sent || taken) || !std::equal(at + 1, longer.end(), rest, shorter.end())) {
      sent_in.assign(now.size(), 0);
      if (!ends) out.push_back({q, Transfer::Kind::Rewritten, fmt::format("<{}>", fmt::join(now, " "))});
    } else if (sent) {
      sent_in.insert(sent_in.begin() + place, number);
      out.push_back({q, Transfer::Kind::Sent, *at});
    } else {
      out.push_back({q, Transfer::Kind::Taken, *at, sent_in[static_cast<size_t>(place)]});
      sent_in.erase(sent_in.begin() + place);
    }
  }
  return out;
}

}  // namespace harrier::trace
