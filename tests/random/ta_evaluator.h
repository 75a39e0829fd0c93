// The meaning of the tester's expressions and functions: a plain walk over the tree, with its own layout of variables.
#pragma once

#include <cstdint>
#include <vector>

#include "random/network.h"
#include "random/ta_model.h"

namespace harrier::testing_support {

// A value outside of its range: the transition is not taken, the condition is false.
struct RangeViolation {};

struct TaProcess {
  const TaInstance* instance = nullptr;
  const TaTemplate* of = nullptr;
  uint32_t location = 0;
  std::vector<uint32_t> variables;  // first value of each local variable
  uint32_t first_clock = 0;
  std::vector<uint32_t> edges;
};

class TaEvaluator {
 public:
  explicit TaEvaluator(const TaModel& model) : model_(model) {
    for (const TaVariable& v : model.variables) add_variable(v, global_base_);
  }

  // What an expression is evaluated in. Slots that are references lead to where the value is.
  struct Context {
    Context(const TaModel& model, NetValues* all, const TaProcess* own)
        : values(all), process(own), slots(model.slots.size()), references(model.slots.size()) {}

    struct Target {
      int32_t* value = nullptr;
      int32_t lo = 0;
      int32_t hi = 0;
    };
    NetValues* values;
    const TaProcess* process;
    std::vector<NetReset>* resets = nullptr;
    std::vector<int32_t> slots;
    std::vector<Target> references;
  };

  // Adds the location and the variables of a process to the values.
  void add_process(TaProcess& process);
  const NetValues& initial() const { return initial_; }

  // Both may throw RangeViolation and NetRuntimeError.
  int32_t value(const TaExpr& e, Context& context);
  void reset(const TaPlace& place, const TaExpr& to, Context& context);
  uint32_t clock(const TaPlace& place, const TaProcess& process) const;

 private:
  void add_variable(const TaVariable& v, std::vector<uint32_t>& bases);
  uint32_t address(const TaExpr& e, Context& context);
  Context::Target target(const TaExpr& e, Context& context);
  void store(const Context::Target& to, int32_t v);
  Context::Target slot(size_t number, Context& context) const;
  int32_t quantified(const TaExpr& e, Context& context);
  int32_t call(const TaExpr& e, Context& context);
  void declare(const std::vector<TaLocal>& locals, Context& context);
  bool run(const std::vector<TaStatement>& body, Context& context, int32_t& result);
  bool run(const TaStatement& s, Context& context, int32_t& result);

  const TaModel& model_;
  NetValues initial_;
  std::vector<int32_t> lows_;
  std::vector<int32_t> highs_;
  std::vector<uint32_t> global_base_;
};

}  // namespace harrier::testing_support
