// From the syntax tree of a Promela model to the intermediate model.
//
// Processes come and go in Promela; the model has one process for every pair of a process number and a proctype that
// may occur (an *instance*). Its location 0 means that it does not run. Which pairs are needed shows only when the
// model runs: a `run` that finds none is executed and says so in a variable of its own, which every goal asks for
// first; then the model is lowered again with the pair added (promela.h).
//
// Channels are blocks of variables: the number of messages, and an array for each field. A statement on a channel that
// is known only at run time becomes one edge for each channel that it may be. A rendezvous becomes one pair of edges
// for each send and receive that may meet, with the exchange written into it. So guards and effects are about plain
// variables, and every analysis and heuristic sees them.
//
// Files: lower_declarations.cpp (variables, channels, instances), lower_expressions.cpp, lower_channels.cpp,
// lower_statements.cpp, lower_processes.cpp (edges), lower_scheduling.cpp (priorities, enabled), lower_trace.cpp,
// lower_properties.cpp, lower_claim.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lang/promela/automaton.h"
#include "lang/promela/promela.h"
#include "lang/promela/types.h"
#include "model/system.h"

namespace harrier::promela {

inline std::string process_name(const std::string& proctype, uint32_t pid) {
  return proctype + "(" + std::to_string(pid) + ")";
}

class Lowering {
 public:
  // `automata` has one entry a proctype of the model, in order. Errors go to `diagnostics`.
  Lowering(const ModelNode& model, const Automata& automata, const Pairs& pairs, const Options& options,
           const Claim& claim, model::System& system, Diagnostics& diagnostics);

  void run();
  // The property of a goal expression: reachability of a state in which it holds.
  std::optional<model::Property> goal(const ExprNode& expr, std::string text);
  // No assertion fails and no invalid end state is reached, as far as the options ask for it.
  model::Property no_errors();
  const std::vector<TrailStep>& trail() const { return trail_; }
  // The clause which says that there is no room for a process: for `missing()[i]` if the variable is i + 1.
  model::Clause lacks_room();
  const std::vector<std::pair<uint32_t, uint32_t>>& missing() const { return missing_; }
  model::VarId missing_variable() const { return missing_variable_; }

 private:
  using ExprId = model::ExprId;
  using StmtId = model::StmtId;
  using VarId = model::VarId;

  struct ChannelObject {
    std::string name;
    uint32_t capacity = 0;
    std::vector<Scalar> fields;
    VarId length;               // of a channel with room for messages
    std::vector<VarId> arrays;  // one a field, `capacity` elements each
    SourceRef at;
  };

  // A declared variable: its layout, and for each leaf of type chan which channels it may hold.
  struct Symbol {
    const DeclNode* declaration = nullptr;
    Layout layout;
    std::vector<uint32_t> holders;  // by leaf: number of its set in `holders_`, kNone if it is no channel
    bool parameter = false;
  };

  struct Instance {
    uint32_t pid = 0;
    uint32_t proctype = 0;
    bool initial = false;
    model::ProcessId process;
    VarId location;
    VarId priority;                               // valid if priorities change
    std::vector<VarId> locals;                    // first variable of each
    std::vector<std::vector<uint32_t>> channels;  // by local: what make_channels() says
  };

  // Where an expression stands.
  struct Here {
    const Instance* instance = nullptr;  // null in a goal
    uint32_t scope = 0;
    bool timeout = false;  // the value of `timeout`
  };

  // A variable, or an element of an array.
  struct Place {
    VarId base;
    uint32_t count = 1;
    ExprId index;  // invalid: the variable `base`
    Scalar type;
    uint32_t holder = UINT32_MAX;
    std::vector<uint32_t> fixed;  // of a channel variable that is never assigned: the channels by element
  };

  // One way to execute a statement.
  struct Way {
    std::vector<ExprId> guard;
    std::vector<StmtId> effect;
    bool when_idle = false;
    // Of one half of a rendezvous:
    enum class Half : uint8_t { None, Send, Receive } half = Half::None;
    uint32_t channel = 0;
    std::vector<ExprId> message;  // of a send, not truncated
    const StmtNode* receive = nullptr;
  };

  // A channel that a reference may mean, and when.
  struct Candidate {
    ExprId guard;          // invalid: always
    uint32_t channel = 0;  // kNoChannel: none
  };
  static constexpr uint32_t kNoChannel = UINT32_MAX;

  // lower_declarations.cpp
  void declare_globals();
  void declare_instances();
  void find_holders();
  VarId add_variable(const std::string& name, const Scalar& type, SourceRef at);
  // A variable of the lowering, with values from 0 to `hi`.
  VarId add_internal(const std::string& name, int32_t hi);
  VarId add_symbol(const Symbol& symbol, const std::string& name);
  Symbol make_symbol(const DeclNode& declaration);
  uint32_t add_channel(const ChannelInit& init, std::string name);
  // By element of the variable: the channel that its declaration makes, kNoChannel where it makes none. Empty if it
  // makes none at all.
  std::vector<uint32_t> make_channels(const Symbol& symbol, const std::string& name);
  // What flows from channel variable to channel variable: the set of a reference, kNone if it is no channel.
  uint32_t holder_of(const ExprNode& ref, uint32_t proctype, uint32_t scope) const;
  // The sets of everything that an argument of a message contains.
  std::vector<uint32_t> holders_in(const ExprNode& argument, uint32_t proctype, uint32_t scope) const;
  const Symbol* find_symbol(const std::string& name, uint32_t proctype, uint32_t scope) const;
  bool flow_in(const StmtNode& send, uint32_t proctype, uint32_t scope);
  bool flow(const ExprNode& from, uint32_t to, uint32_t proctype, uint32_t scope);
  bool flow_of(const Element& element, uint32_t proctype);
  void set_initial_values();
  void set_initial(const Symbol& symbol, VarId base, const std::vector<uint32_t>& channels, const Here& here);

  // lower_expressions.cpp
  ExprId number(int64_t value, SourceRef at = {}) { return system_.make_const(static_cast<int32_t>(value), at); }
  ExprId value(const ExprNode& expr, const Here& here);
  ExprId reference(const ExprNode& expr, const Here& here);
  ExprId remote(const ExprNode& expr, const Here& here);
  ExprId poll(const ExprNode& expr, const Here& here);
  ExprId length_test(const ExprNode& expr, const Here& here);
  ExprId no_progress(SourceRef at);
  // Of the array that a reference without the last index means.
  std::optional<uint32_t> array_length(const ExprNode& ref, const Here& here);
  ExprId all_of(std::span<const ExprId> conditions, SourceRef at);
  ExprId any_of(std::span<const ExprId> conditions, SourceRef at);
  ExprId equal(ExprId a, ExprId b, SourceRef at) { return system_.make_binary(Op::Eq, a, b, at); }
  ExprId negated(ExprId a, SourceRef at) { return system_.make_unary(Op::Not, a, at); }
  ExprId load(const Place& place, SourceRef at);
  StmtId store(const Place& place, ExprId value, SourceRef at);
  StmtId set(VarId variable, ExprId value, SourceRef at);
  StmtId fail(const char* text, SourceRef at);
  // The place of a reference with a scalar type; reports an error otherwise.
  std::optional<Place> place(const ExprNode& ref, const Here& here);
  // All scalars of a reference, in order, also of a structure.
  std::vector<Place> places(const ExprNode& ref, const Here& here);
  struct Root {
    const Symbol* symbol = nullptr;
    VarId base;
    const std::vector<uint32_t>* channels = nullptr;
  };
  std::optional<Root> root(const std::string& name, const Here& here);
  // The leaf that a reference names, kNone if it is none or a structure.
  static uint32_t find_leaf(const Symbol& symbol, std::span<const RefPart> parts);
  std::vector<Place> places_in(const Root& root, std::span<const RefPart> parts, const Here& here);

  // lower_channels.cpp
  std::vector<Candidate> candidates(const ExprNode& ref, const Here& here);
  // The value of `of` for the channel that a reference means.
  template <class Of>
  ExprId by_channel(const ExprNode& ref, const Here& here, SourceRef at, Of&& of);
  Way broken(const Candidate& candidate, SourceRef at);
  std::vector<Way> send(const StmtNode& stmt, const Here& here);
  std::vector<Way> receive(const StmtNode& stmt, const Here& here);
  std::vector<ExprId> message(const StmtNode& stmt, const Here& here);
  struct Pattern {
    std::optional<Place> into;  // a variable to assign
    ExprId match;               // a value to compare with; both missing: `_`
  };
  std::vector<Pattern> patterns(std::span<const ExprPtr> arguments, const Here& here);
  ExprId slot(const ChannelObject& c, size_t field, ExprId index, SourceRef at);
  std::vector<ExprId> matches(const ChannelObject& c, std::span<const Pattern> patterns, ExprId index, SourceRef at);
  void take_out(const ChannelObject& c, uint32_t first, std::vector<StmtId>& effect, SourceRef at);
  bool fits(const Candidate& candidate, size_t given, SourceRef at, const char* what);

  // lower_statements.cpp
  std::vector<Way> ways(uint32_t element, const Here& here);
  std::vector<Way> ways_of(const Element& element, const Here& here);
  std::vector<Way> start_process(const ExprNode& run, const std::optional<Place>& result, const Here& here);
  std::vector<StmtId> birth(const Instance& child, std::span<const ExprId> arguments, SourceRef at);
  ExprId executable(std::span<const Way> ways, SourceRef at);
  StmtId chain(std::span<const Way> ways, std::span<const StmtId> otherwise, SourceRef at);
  std::vector<Way> d_step(const Element& element, const Here& here);
  // What is left of a d_step from an element on.
  std::vector<StmtId> tail(uint32_t element, const Here& here);
  StmtId perform(uint32_t element, const Here& here);
  StmtId as_function(uint32_t first, const Here& here, SourceRef at);
  StmtId call(model::Function function);

  // lower_processes.cpp
  void add_locations(Instance& instance);
  void add_edges(const Instance& instance);
  void add_death(const Instance& instance);
  void add_rendezvous();
  std::vector<StmtId> exchange(const ChannelObject& c, std::span<const ExprId> message, std::span<const Pattern> wanted,
                               SourceRef at);
  void finish(model::Edge edge, const Instance& instance, uint32_t trail_id);

  // lower_scheduling.cpp
  int32_t given_priority(const ExprPtr& priority);
  void find_priorities();
  static bool is_priority(const ExprNode& expr);
  ExprId running(const Instance& instance, SourceRef at);
  ExprId priority_of(const Instance& instance, SourceRef at);
  template <class Of>
  ExprId by_process(const ExprNode& expr, const Here& here, Of&& of);
  ExprId priority(const ExprNode& expr, const Here& here);
  ExprId pc_value(const ExprNode& expr, const Here& here);
  ExprId enabled(const ExprNode& expr, const Here& here);
  // Whether a process can execute a statement, apart from its priority; idle: also if that needs a timeout.
  ExprId can_move(const Instance& instance, bool idle, SourceRef at);
  // Whether one of higher priority can.
  ExprId outranked(const Instance& instance, bool idle, SourceRef at);
  StmtId set_priority(const ExprNode& expr, const Here& here);
  void add_choices_to(model::Property& property);

  // lower_trace.cpp
  void declare_trace();
  bool is_traced(uint32_t channel, bool sends) const;
  void observe(std::vector<StmtId>& effect, uint32_t channel, bool sends, std::span<const ExprId> fields, SourceRef at);
  // A message as the channel holds it.
  std::vector<ExprId> truncated_fields(const ChannelObject& channel, std::span<const ExprId> message);
  void add_trace_to(model::Property& property);
  ExprId trace_may_end();

  // lower_claim.cpp
  void add_claim();
  void add_claim_to(model::Property& property);

  // lower_properties.cpp
  void clauses(const ExprNode& expr, bool positive, const Here& here, std::vector<std::vector<ExprId>>& out);

  const Automaton& automaton(const Instance& i) const { return *automata_[i.proctype]; }
  const Instance* find_instance(uint32_t pid, uint32_t proctype) const;

  const ModelNode& model_;
  const Automata& automata_;
  const Pairs& pairs_;
  const Options& options_;
  const Claim& claim_;
  model::System& system_;
  Diagnostics& diagnostics_;
  Types types_;
  std::vector<Symbol> globals_;
  std::vector<VarId> global_base_;
  std::vector<std::vector<uint32_t>> global_channels_;  // by global: what make_channels() says
  std::map<std::string, uint32_t> global_names_;
  std::vector<std::vector<Symbol>> locals_;  // by proctype
  std::vector<ChannelObject> channels_;      // channel n is the value n + 1
  std::vector<Instance> instances_;
  Instance observer_;                        // of the claim, if there is one
  std::vector<std::set<uint32_t>> holders_;  // sets of channels; kNoChannel is in it if there may be none
  std::set<uint32_t> assigned_;              // holders that something is assigned to
  std::set<uint32_t> sent_;                  // channels inside messages
  VarId process_count_;                      // `_nr_pr`
  VarId last_;                               // `_last`, if the model uses it
  VarId missing_variable_;                   // 0, or the number of the pair there is no room for
  std::vector<std::pair<uint32_t, uint32_t>> missing_;
  VarId error_;  // 0, or the number of the assertion that failed
  std::vector<const StmtNode*> assertions_;

  // Halves of rendezvous, to be put together.
  struct HalfEdge {
    model::Edge edge;
    Way way;
    Here here;
    uint32_t trail_id = 0;
  };
  std::vector<HalfEdge> senders_, receivers_;

  // A send or receive of a trace.
  struct Event {
    uint32_t source = 0;  // control points
    uint32_t target = 0;
    bool sends = false;
    uint32_t channel = 0;
    std::vector<std::optional<int64_t>> fields;  // nothing: anything
    SourceRef at;
  };
  struct {
    const Automaton* automaton = nullptr;  // null: there is none
    Instance instance;                     // only to look up names
    VarId event;                           // a control point, or one more: all has been said, or two more: an error
    std::vector<Event> events;
  } trace_;
  bool changes_priorities_ = false;            // they are variables, and tested by guards
  std::map<std::string, int32_t> priorities_;  // by proctype; of all its processes, if priorities do not change
  std::map<std::pair<uint32_t, bool>, ExprId> can_move_;  // by process; invalid while it is being made
  std::vector<TrailStep> trail_;
  bool tracks_last_ = false;
};

}  // namespace harrier::promela
