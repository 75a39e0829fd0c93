#include "random/native.h"

#include <vector>

#include "native/compilation.h"
#include "native/compiler.h"
#include "native/library.h"
#include "native/private_directory.h"
#include "native/source.h"
#include "random/rng.h"
#include "random/threads.h"
#include "search/search.h"
#include "step/network.h"

namespace harrier::testing_support {

namespace {

using step::Network;

constexpr int kStates = 30;

// All that a network says of a state, as a text.
class Account {
 public:
  Account(const Network& network, const std::vector<int32_t>& values)
      : network_(network), work_(network.program()), before_(values), values_(values) {}

  std::string text() {
    const model::System& system = network_.system();
    for (uint32_t e = 0; e < system.edges.size(); ++e) {
      const Network::EdgeInfo& edge = network_.edge(e);
      attempt("guard", [&] { out_ += std::to_string(work_.holds(edge.guard, values_.data())); });
      attempt("query", [&] { out_ += std::to_string(work_.holds_or_fails(edge.guard, values_.data())); });
      attempt("effect", [&] { effect(e); });
      for (const step::CompiledConstraint& c : edge.clock_guard) {
        if (!c.constant) attempt("bound", [&] { out_ += std::to_string(work_.value(c.bound_code, values_.data())); });
      }
    }
    attempt("transitions", [&] { transitions(); });
    return out_;
  }

 private:
  template <class Work>
  void attempt(const char* what, Work&& work) {
    out_ += std::string(what) + " ";
    try {
      work();
    } catch (const model::EvalFailure& failure) {
      out_ += "fails " + std::to_string(static_cast<int>(failure.fault)) + " at " + place(failure.at);
    }
    work_.undo(values_.data());
    if (values_ != before_) out_ += " and the values have not come back";
    out_ += "\n";
  }
  std::string place(const SourceRef& at) const { return network_.system().sources.describe(at); }

  void effect(uint32_t e) {
    work_.choices().clear();
    const bool done = work_.execute(network_.edge(e).effect, values_.data());
    if (!done) work_.blame(e);
    out_ += done ? "done" : "not done";
    if (done) changes();
  }
  void changes() {
    for (const step::JournalEntry& entry : work_.journal()) {
      out_ += " " + std::to_string(entry.variable) + ":" + std::to_string(entry.old_value) + ">" +
              std::to_string(values_[entry.variable]);
    }
    for (const model::ClockReset& reset : work_.resets()) {
      out_ += " clock " + std::to_string(reset.clock.value) + ":=" + std::to_string(reset.value);
    }
  }
  void transitions() {
    constexpr int kMostOutcomes = 20;
    network_.for_each_firing(work_, values_.data(), [&](const step::Firing& firing) {
      out_ += "\n edges";
      for (const uint32_t e : firing.edges) out_ += " " + std::to_string(e);
      int outcomes = 0;
      network_.for_each_outcome(work_, values_.data(), firing.edges, [&] {
        out_ += "; ";
        changes();
        return ++outcomes < kMostOutcomes;
      });
      return true;
    });
    for (const step::Machine::Violation& v : work_.violations()) {
      out_ += " violation " + std::to_string(v.edge) + " " + std::to_string(v.variable);
    }
  }

  const Network& network_;
  step::Workspace work_;
  const std::vector<int32_t> before_;
  std::vector<int32_t> values_;
  std::string out_;
};

std::string layout_text(const step::Layout& layout, const step::NativeCode& code, const std::vector<int32_t>& values) {
  std::vector<uint64_t> words(layout.words());
  layout.pack(values.data(), words.data());
  std::vector<int32_t> unpacked(values.size(), -1);
  code.unpack(words.data(), unpacked.data());
  return unpacked == values ? "" : "unpacking";
}

// Empty if all effects have native code.
std::string untranslated(const Network& network, const step::NativeCode& code) {
  for (uint32_t e = 0; e < code.firings.size(); ++e) {
    const step::Code effect = network.edge(e).effect;
    if (code.firings[e] == nullptr && !effect.empty() && code.effects[effect.start] == nullptr) {
      return "the effect of edge " + std::to_string(e) + " is not translated";
    }
  }
  return "";
}

}  // namespace

model::System translatable(model::System system) {
  for (model::Stmt& statement : system.stmts) {
    const bool left_out = statement.kind == model::StmtKind::Reset || statement.kind == model::StmtKind::Choose;
    if (left_out) statement = {.kind = model::StmtKind::Block};
  }
  return system;
}

std::set<step::Opcode> opcodes_of(const model::System& system) {
  step::Program program(system);
  for (const model::Edge& e : system.edges) {
    program.condition(e.guard);
    program.effect(e.effect);
    for (const model::ClockConstraint& c : e.clock_guard) program.value(c.bound);
  }
  std::set<step::Opcode> out;
  for (const step::Instruction& i : program.instructions()) out.insert(i.op);
  return out;
}

std::optional<std::string> compare_pieces(model::System system, uint64_t seed, bool all) {
  // Constants may be larger than zones can deal with, and are not compiled.
  for (model::Edge& e : system.edges) {
    std::erase_if(e.clock_guard, [&](const model::ClockConstraint& c) { return system.constant(c.bound).has_value(); });
  }
  const Network network(system);
  const step::Layout layout(system);
  const native::Source source = native::source_of(network, layout);
  const native::PrivateDirectory directory;
  const native::Library library(native::compile(source.text, directory, {}), source, network);
  if (const std::string wrong = untranslated(network, library.code()); all && !wrong.empty()) return wrong;
  Rng rng(seed);
  for (int i = 0; i < kStates; ++i) {
    std::vector<int32_t> values;
    for (const model::Variable& v : system.variables) values.push_back(rng.between(v.lo, v.hi));
    const std::string plain = Account(network, values).text();
    network.program().use(&library.code());
    const std::string native = Account(network, values).text();
    network.program().use(nullptr);
    if (plain != native) return plain + "\nand natively\n" + native;
    if (const std::string wrong = layout_text(layout, library.code(), values); !wrong.empty()) return wrong;
  }
  return std::nullopt;
}

std::optional<std::string> compare_native_searches(const model::System& system, const model::Property& property,
                                                   uint64_t seed) {
  const bool timed = system.clocks.size() > 1;
  using step::Simplification;
  Simplification simplification = seed % 3 == 0 ? Simplification::None : Simplification::DeadValues;
  if (!search::forgets_for(property)) simplification = Simplification::None;
  const step::Semantics semantics(system, property, Watch::none(), {}, simplification);

  std::vector<search::Config> configs(3);
  configs[0].method = search::BreadthFirstSearch{.prefer = {}, .threads = seed % 2 == 0 ? 2 : 1, .threads_from = 0};
  configs[1].method = search::DepthFirstSearch();
  configs[2].method = search::DepthFirstSearch();
  configs[1].reduction = false;
  if (!timed && !system.has_choices() && !system.claim.valid()) configs[2].reduction = true;
  const auto results = [&] {
    std::vector<search::Result> out;
    for (const search::Config& config : configs) {
      try {
        out.push_back(search::run_single(semantics, config));
      } catch (const model::EvalFailure& failure) {
        out.push_back({});
        out.back().failure = failure;
      }
    }
    return out;
  };
  const std::vector<search::Result> plain = results();
  native::Compilation compilation(semantics, std::chrono::milliseconds(0));
  compilation.wait(Watch::none());
  if (!compilation.report().used) return "no native code: " + compilation.report().problem;
  const std::vector<search::Result> native = results();
  for (size_t i = 0; i < plain.size(); ++i) {
    if (const auto wrong = difference(plain[i], native[i], timed)) {
      return "search " + std::to_string(i) + " with native code as the second: " + *wrong;
    }
  }
  return std::nullopt;
}

}  // namespace harrier::testing_support
