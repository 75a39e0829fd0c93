#include "lang/uppaal/branches.h"

namespace harrier::uppaal {

namespace {

// Larger expansions are refused.
constexpr size_t kMaxBranches = 100'000;

class Joiner {
 public:
  Joiner(TemplateNode& process, Diagnostics& diagnostics)
      : process_(process), diagnostics_(diagnostics), edges_(process.edges), visiting_(process.branchpoints.size()) {}

  void run() {
    process_.edges.clear();
    for (const EdgeNode& edge : edges_) {
      if (is_branch(edge.source)) {
        check_branch(edge);
      } else {
        extend(edge);
      }
      if (refused_) {
        process_.broken = true;
        return;
      }
    }
  }

 private:
  bool is_branch(uint32_t node) const { return node >= process_.locations.size(); }

  void refuse(SourceRef at, const std::string& message) {
    if (!refused_) diagnostics_.unsupported(at, message);
    refused_ = true;
  }

  void check_branch(const EdgeNode& edge) {
    if (edge.guard != nullptr) refuse(edge.at, "a guard on an edge that leaves a branch point");
    if (edge.sync != nullptr) refuse(edge.at, "a synchronisation on an edge that leaves a branch point");
    if (!edge.selects.empty()) refuse(edge.at, "a selection on an edge that leaves a branch point");
  }

  void extend(const EdgeNode& edge) {
    if (refused_) return;
    if (!is_branch(edge.target)) {
      process_.edges.push_back(edge);
      if (process_.edges.size() > kMaxBranches) refuse(edge.at, "so many ways through branch points");
      return;
    }
    const size_t point = edge.target - process_.locations.size();
    if (visiting_[point]) return refuse(edge.at, "branch points that lead to each other in a circle");
    visiting_[point] = true;
    bool any = false;
    for (const EdgeNode& branch : edges_) {
      if (branch.source != edge.target) continue;
      any = true;
      EdgeNode joined = edge;
      joined.target = branch.target;
      joined.branches.push_back({branch.weight, branch.update, branch.at});
      extend(joined);
    }
    if (!any) refuse(edge.at, "a branch point that no edge leaves");
    visiting_[point] = false;
  }

  TemplateNode& process_;
  Diagnostics& diagnostics_;
  const std::vector<EdgeNode> edges_;
  std::vector<bool> visiting_;
  bool refused_ = false;
};

void note(bool& noted, SourceRef at, Diagnostics& diagnostics, const char* message) {
  if (!noted) diagnostics.warning(at, message);
  noted = true;
}

}  // namespace

void join_branches(TemplateNode& process, Diagnostics& diagnostics) {
  if (!process.branchpoints.empty() && !process.broken) Joiner(process, diagnostics).run();
}

void note_rates(ModelNode& model, SourceRef at, Diagnostics& diagnostics) {
  note(model.noted_rates, at, diagnostics, "rates of exponential distributions matter to statistical queries only");
}

void note_games(ModelNode& model, SourceRef at, Diagnostics& diagnostics) {
  note(model.noted_games, at, diagnostics,
       "that an edge is uncontrollable matters to queries about games only; it is an edge like all others");
}

void note_weights(ModelNode& model, SourceRef at, Diagnostics& diagnostics) {
  note(model.noted_weights, at, diagnostics,
       "the branches of an edge are open choices; how likely they are matters to statistical queries only");
}

}  // namespace harrier::uppaal
