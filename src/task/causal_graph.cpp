#include "task/causal_graph.h"

#include <algorithm>
#include <unordered_map>

namespace harrier::task {

namespace {

struct Arc {
  uint32_t from = 0;
  uint32_t to = 0;
  uint32_t weight = 0;  // number of transitions
};

std::vector<Arc> causal_arcs(const VariableDomains& domains, const Watch& watch) {
  struct Count {
    uint32_t last = kNone;  // transition; the labels of one transition follow each other
    uint32_t transitions = 0;
  };
  std::unordered_map<uint64_t, Count> counts;
  for (const VariableDomains::Label& label : domains.labels()) {
    watch.poll();
    for (const VariableDomains::Part& to : domains.parts(label)) {
      if (!to.affects) continue;
      for (const VariableDomains::Part& from : domains.parts(label)) {
        if (from.variable == to.variable) continue;
        Count& count = counts[(uint64_t{from.variable} << 32) | to.variable];
        if (count.transitions != 0 && count.last == label.transition) continue;
        count.last = label.transition;
        ++count.transitions;
      }
    }
  }
  std::vector<Arc> out;
  for (const auto& [key, count] : counts) {
    out.push_back({static_cast<uint32_t>(key >> 32), static_cast<uint32_t>(key), count.transitions});
  }
  std::sort(out.begin(), out.end(),
            [](const Arc& a, const Arc& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
  return out;
}

// The strongly connected components (Tarjan 1972), each after those that it can be reached from.
class Components {
 public:
  explicit Components(std::vector<std::vector<uint32_t>> successors)
      : successors_(std::move(successors)),
        number_(successors_.size(), 0),
        low_(successors_.size(), 0),
        open_(successors_.size(), false) {
    for (uint32_t v = 0; v < successors_.size(); ++v) {
      if (number_[v] == 0) visit(v);
    }
    std::reverse(found.begin(), found.end());
  }
  std::vector<std::vector<uint32_t>> found;

 private:
  void visit(uint32_t root) {
    struct Frame {
      uint32_t vertex = 0;
      size_t next = 0;
    };
    std::vector<Frame> frames{{root}};
    while (!frames.empty()) {
      Frame& frame = frames.back();
      const uint32_t v = frame.vertex;
      if (frame.next == 0) {
        number_[v] = low_[v] = ++count_;
        stack_.push_back(v);
        open_[v] = true;
      }
      if (frame.next < successors_[v].size()) {
        const uint32_t w = successors_[v][frame.next++];
        if (number_[w] == 0) {
          frames.push_back({w});
        } else if (open_[w]) {
          low_[v] = std::min(low_[v], number_[w]);
        }
        continue;
      }
      if (low_[v] == number_[v]) {
        std::vector<uint32_t> component;
        do {
          component.push_back(stack_.back());
          open_[stack_.back()] = false;
          stack_.pop_back();
        } while (component.back() != v);
        std::sort(component.begin(), component.end());
        found.push_back(std::move(component));
      }
      frames.pop_back();
      if (!frames.empty()) low_[frames.back().vertex] = std::min(low_[frames.back().vertex], low_[v]);
    }
  }

  std::vector<std::vector<uint32_t>> successors_;
  std::vector<uint32_t> number_;
  std::vector<uint32_t> low_;
  std::vector<bool> open_;
  std::vector<uint32_t> stack_;
  uint32_t count_ = 0;
};

}  // namespace

CausalGraph::CausalGraph(const VariableDomains& domains, const Watch& watch)
    : predecessors_(domains.size()), all_predecessors_(domains.size()) {
  const std::vector<Arc> arcs = causal_arcs(domains, watch);
  // Integers, processes, goal: arcs back are ignored (Wehrle 2011, §5.5.1).
  const auto group = [&](uint32_t v) { return v == domains.goal() ? 2 : domains.variable(v).is_process ? 1 : 0; };
  std::vector<std::vector<uint32_t>> successors(domains.size());
  std::vector<std::vector<Arc>> from(domains.size());
  for (const Arc& arc : arcs) {
    if (group(arc.from) > group(arc.to)) continue;
    successors[arc.from].push_back(arc.to);
    from[arc.from].push_back(arc);
  }
  const std::vector<std::vector<uint32_t>> components = Components(std::move(successors)).found;
  std::vector<uint32_t> rank(domains.size(), 0);
  std::vector<uint64_t> incoming(domains.size(), 0);
  std::vector<bool> inside(domains.size(), false);
  for (int g = 0; g <= 2; ++g) {
    for (const std::vector<uint32_t>& component : components) {
      if (group(component[0]) != g) continue;  // no component spans groups
      // As in Fast Downward: the variable whose incoming arcs cost least is next, and its outgoing arcs count no more.
      for (const uint32_t v : component) inside[v] = true;
      for (const uint32_t v : component) {
        for (const Arc& arc : from[v]) {
          if (inside[arc.to]) incoming[arc.to] += arc.weight;
        }
      }
      std::vector<uint32_t> left = component;
      while (!left.empty()) {
        watch.poll();
        const auto next = std::min_element(left.begin(), left.end(),
                                           [&](uint32_t a, uint32_t b) { return incoming[a] < incoming[b]; });
        const uint32_t v = *next;
        left.erase(next);
        inside[v] = false;
        rank[v] = static_cast<uint32_t>(order_.size());
        order_.push_back(v);
        for (const Arc& arc : from[v]) {
          if (inside[arc.to]) incoming[arc.to] -= arc.weight;
        }
      }
    }
  }
  for (const Arc& arc : arcs) {
    all_predecessors_[arc.to].push_back(arc.from);
    if (rank[arc.from] < rank[arc.to]) predecessors_[arc.to].push_back(arc.from);
  }
}

}  // namespace harrier::task
