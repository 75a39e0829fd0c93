// Variables, channels and instances of processes, and which channels a channel variable may hold.
#include <algorithm>

#include "lang/promela/lowering.h"
#include "model/interpreter.h"

namespace harrier::promela {

namespace {

constexpr uint32_t kNone = UINT32_MAX;
constexpr int64_t kLargestCapacity = UINT8_MAX;

// a[1].b[0]: the name of an element of a leaf.
std::string element_name(const Leaf& leaf, const std::string& name, uint32_t element) {
  std::vector<uint32_t> indices(leaf.lengths.size());
  for (size_t i = leaf.lengths.size(); i-- > 0;) {
    indices[i] = element % leaf.lengths[i];
    element /= leaf.lengths[i];
  }
  std::string out = name;
  size_t next = 0;
  for (size_t i = 0; i < leaf.indexed.size(); ++i) {
    if (i > 0) out += "." + leaf.path[i - 1];
    if (leaf.indexed[i]) out += "[" + std::to_string(indices[next++]) + "]";
  }
  return out;
}

}  // namespace

Lowering::Lowering(const ModelNode& model, const Automata& automata, const Pairs& pairs, const Options& options,
                   const Claim& claim, model::System& system, Diagnostics& diagnostics)
    : model_(model),
      automata_(automata),
      pairs_(pairs),
      options_(options),
      claim_(claim),
      system_(system),
      diagnostics_(diagnostics),
      types_(model, diagnostics) {}

Lowering::Symbol Lowering::make_symbol(const DeclNode& declaration) {
  Symbol symbol{&declaration, types_.layout(declaration), {}, false};
  for (const Leaf& leaf : symbol.layout.leaves) {
    symbol.holders.push_back(leaf.type.base == BaseType::Chan ? static_cast<uint32_t>(holders_.size()) : kNone);
    if (leaf.type.base == BaseType::Chan) holders_.emplace_back();
  }
  if (types_.mtype(declaration.name)) {
    diagnostics_.error(declaration.at, "'" + declaration.name + "' is already a message type");
  }
  return symbol;
}

model::VarId Lowering::add_variable(const std::string& name, const Scalar& type, SourceRef at) {
  model::Variable v;
  v.name = name;
  v.lo = type.lo();
  v.hi = type.hi();
  v.at = at;
  v.value_names = type.names;
  system_.variables.push_back(std::move(v));
  return VarId(system_.variables.size() - 1);
}

model::VarId Lowering::add_internal(const std::string& name, int32_t hi) {
  const VarId v = add_variable(name, {BaseType::Int, 0}, {});
  system_.variables.back().lo = 0;
  system_.variables.back().hi = hi;
  system_.variables.back().internal = true;
  return v;
}

model::VarId Lowering::add_symbol(const Symbol& symbol, const std::string& name) {
  const VarId first(system_.variables.size());
  for (const Leaf& leaf : symbol.layout.leaves) {
    for (uint32_t i = 0; i < leaf.count; ++i) {
      add_variable(element_name(leaf, name, i), leaf.type, symbol.declaration->at);
    }
  }
  return first;
}

uint32_t Lowering::add_channel(const ChannelInit& init, std::string name) {
  ChannelObject c;
  c.name = std::move(name);
  c.fields = types_.fields(init);
  c.at = init.at;
  const int64_t capacity = types_.constant(*init.capacity, "the capacity of a channel");
  if (capacity < 0 || capacity > kLargestCapacity) {
    diagnostics_.error(init.capacity->at, "the capacity of a channel has to be between 0 and 255");
  } else {
    c.capacity = static_cast<uint32_t>(capacity);
  }
  if (c.capacity > 0) {
    c.length = add_internal("len(" + c.name + ")", static_cast<int32_t>(c.capacity));
    for (size_t f = 0; f < c.fields.size(); ++f) {
      c.arrays.push_back(VarId(system_.variables.size()));
      for (uint32_t i = 0; i < c.capacity; ++i) {
        std::string slot = c.name + "<" + std::to_string(i) + ">";
        if (c.fields.size() > 1) slot += "." + std::to_string(f);
        add_variable(slot, c.fields[f], c.at);
        system_.variables.back().internal = true;
      }
    }
    system_.queues.push_back({c.name, c.length, c.arrays});
  }
  channels_.push_back(std::move(c));
  return static_cast<uint32_t>(channels_.size() - 1);
}

std::vector<uint32_t> Lowering::make_channels(const Symbol& symbol, const std::string& name) {
  std::vector<uint32_t> made;
  for (const Leaf& leaf : symbol.layout.leaves) {
    if (!leaf.declaration->channel) continue;
    made.resize(symbol.layout.size, kNoChannel);
    for (uint32_t i = 0; i < leaf.count; ++i) {
      made[leaf.offset + i] = add_channel(*leaf.declaration->channel, element_name(leaf, name, i));
    }
  }
  return made;
}

void Lowering::declare_globals() {
  for (const DeclNode& declaration : model_.globals) {
    const auto number = static_cast<uint32_t>(globals_.size());
    if (!global_names_.emplace(declaration.name, number).second) {
      diagnostics_.error(declaration.at, "'" + declaration.name + "' is declared twice");
    }
    globals_.push_back(make_symbol(declaration));
    if (diagnostics_.has_errors()) return;
    global_base_.push_back(add_symbol(globals_.back(), declaration.name));
    global_channels_.push_back(make_channels(globals_.back(), declaration.name));
  }
}

void Lowering::declare_instances() {
  std::set<std::string> names;
  for (const auto& automaton : automata_) {
    const ProctypeNode& node = automaton->proctype();
    if (node.kind <= ProctypeNode::Kind::DProctype && !names.insert(node.name).second) {
      diagnostics_.error(node.at, "the proctype '" + node.name + "' is declared twice");
    }
    std::vector<Symbol>& symbols = locals_.emplace_back();
    for (const Local& local : automaton->locals()) {
      symbols.push_back(make_symbol(*local.declaration));
      symbols.back().parameter = local.parameter;
      if (!local.parameter) continue;
      if (local.declaration->array_size) diagnostics_.error(local.declaration->at, "a parameter cannot be an array");
      if (local.declaration->type == BaseType::Struct) {
        diagnostics_.unsupported(local.declaration->at, "a structure as a parameter");
      }
    }
  }
  if (diagnostics_.has_errors()) return;
  // Those that run at the start get their numbers in the order of the text.
  std::set<std::pair<uint32_t, uint32_t>> pairs = pairs_;
  std::set<std::pair<uint32_t, uint32_t>> initial;
  uint32_t pid = 0;
  for (uint32_t p = 0; p < automata_.size(); ++p) {
    const ProctypeNode& node = automata_[p]->proctype();
    if (node.kind >= ProctypeNode::Kind::Never) continue;
    int64_t count = node.kind == ProctypeNode::Kind::Init || node.active ? 1 : 0;
    if (node.active_count) count = types_.constant(*node.active_count, "the number of active processes");
    if (count < 0 || pid + count > kMostProcesses) {
      diagnostics_.error(node.at, "more than 255 active processes");
      return;
    }
    for (int64_t i = 0; i < count; ++i) initial.emplace(pid++, p);
  }
  pairs.insert(initial.begin(), initial.end());
  process_count_ = add_internal("_nr_pr", UINT8_MAX);
  for (const auto& [number, proctype] : pairs) {
    Instance instance;
    instance.pid = number;
    instance.proctype = proctype;
    instance.initial = initial.contains({number, proctype});
    const Automaton& a = *automata_[proctype];
    model::Process process;
    process.name = process_name(a.name(), number);
    process.type = a.name();
    process.at = a.proctype().at;
    instance.location = add_variable(process.name, {BaseType::Int, 0}, process.at);
    model::Variable& location = system_.variables.back();
    location.kind = model::VarKind::Location;
    location.lo = 0;
    location.hi = static_cast<int32_t>(a.control_count()) - 1;
    process.location = instance.location;
    if (changes_priorities_) {
      instance.priority = add_variable(process.name + "._priority", {BaseType::Byte, 0}, process.at);
      if (instance.initial) system_.variables.back().initial = given_priority(a.proctype().priority);
      process.priority = 1;
    } else {
      process.priority = priorities_.at(a.name());
    }
    instance.process = model::ProcessId(system_.processes.size());
    std::map<std::string, uint32_t> taken;  // blocks may declare the same name again
    for (const Symbol& symbol : locals_[proctype]) {
      std::string name = process.name + "." + symbol.declaration->name;
      if (const uint32_t times = ++taken[name]; times > 1) name += "#" + std::to_string(times);
      instance.locals.push_back(add_symbol(symbol, name));
      instance.channels.push_back(make_channels(symbol, name));
    }
    system_.processes.push_back(std::move(process));
    instances_.push_back(std::move(instance));
  }
  uint32_t most = 0;
  for (const Instance& i : instances_) most = std::max(most, i.pid + 1);
  system_.variables[process_count_.value].hi = static_cast<int32_t>(most);
  system_.variables[process_count_.value].initial = static_cast<int32_t>(initial.size());
  if (channels_.size() > UINT8_MAX) diagnostics_.error(channels_.back().at, "more than 255 channels");
}

const Lowering::Symbol* Lowering::find_symbol(const std::string& name, uint32_t proctype, uint32_t scope) const {
  const uint32_t local = automata_[proctype]->find_local(scope, name);
  if (local != kNone) return &locals_[proctype][local];
  const auto global = global_names_.find(name);
  return global == global_names_.end() ? nullptr : &globals_[global->second];
}

uint32_t Lowering::holder_of(const ExprNode& ref, uint32_t proctype, uint32_t scope) const {
  if (ref.kind != ExprKind::Ref) return kNone;
  const Symbol* symbol = find_symbol(ref.parts[0].name, proctype, scope);
  const uint32_t leaf = symbol == nullptr ? kNone : find_leaf(*symbol, ref.parts);
  return leaf == kNone ? kNone : symbol->holders[leaf];
}

std::vector<uint32_t> Lowering::holders_in(const ExprNode& argument, uint32_t proctype, uint32_t scope) const {
  std::vector<uint32_t> out;
  if (argument.kind == ExprKind::Conditional) {
    out = holders_in(*argument.b, proctype, scope);
    for (const uint32_t holder : holders_in(*argument.c, proctype, scope)) out.push_back(holder);
  }
  if (argument.kind != ExprKind::Ref) return out;
  const Symbol* symbol = find_symbol(argument.parts[0].name, proctype, scope);
  if (symbol == nullptr) return out;
  for (size_t l = 0; l < symbol->holders.size(); ++l) {
    const std::vector<std::string>& path = symbol->layout.leaves[l].path;
    if (symbol->holders[l] != kNone && path.size() + 1 >= argument.parts.size() &&
        std::equal(argument.parts.begin() + 1, argument.parts.end(), path.begin(),
                   [](const RefPart& part, const std::string& field) { return part.name == field; })) {
      out.push_back(symbol->holders[l]);
    }
  }
  return out;
}

// Whether a set has grown.
bool Lowering::flow(const ExprNode& from, uint32_t to, uint32_t proctype, uint32_t scope) {
  if (from.kind == ExprKind::Conditional) {
    const bool left = flow(*from.b, to, proctype, scope);
    return flow(*from.c, to, proctype, scope) || left;
  }
  if (to == kNone) return false;
  const uint32_t source = holder_of(from, proctype, scope);
  const size_t before = holders_[to].size();
  if (source == kNone) {
    holders_[to].insert(kNoChannel);
  } else {
    holders_[to].insert(holders_[source].begin(), holders_[source].end());
  }
  return holders_[to].size() != before;
}

bool Lowering::flow_of(const Element& element, uint32_t proctype) {
  diagnostics_.poll();
  bool changed = false;
  const auto run = [&](const ExprNode* e) {
    if (e == nullptr || e->kind != ExprKind::Run) return;
    for (uint32_t p = 0; p < automata_.size(); ++p) {
      if (automata_[p]->name() != e->parts[0].name) continue;
      for (size_t i = 0; i < e->arguments.size() && i < locals_[p].size(); ++i) {
        const uint32_t to = locals_[p][i].holders.empty() ? kNone : locals_[p][i].holders[0];
        changed = flow(*e->arguments[i], to, proctype, element.scope) || changed;
      }
    }
  };
  if (element.declaration != nullptr && element.declaration->init) {
    ExprNode target;
    target.kind = ExprKind::Ref;
    target.parts.push_back({element.declaration->name, nullptr, element.at});
    const uint32_t to = holder_of(target, proctype, element.scope);
    if (to != kNone) assigned_.insert(to);
    changed = flow(*element.declaration->init, to, proctype, element.scope) || changed;
  }
  if (element.stmt == nullptr) return changed;
  const StmtNode& s = *element.stmt;
  switch (s.kind) {
    case StmtKind::Assign: {
      const uint32_t to = holder_of(*s.target, proctype, element.scope);
      if (to != kNone) assigned_.insert(to);
      changed = flow(*s.expr, to, proctype, element.scope);
      run(s.expr.get());
      break;
    }
    case StmtKind::Expr: run(s.expr.get()); break;
    case StmtKind::Send: changed = flow_in(s, proctype, element.scope); break;
    case StmtKind::Receive:
      for (const ExprPtr& argument : s.arguments) {
        for (const uint32_t to : holders_in(*argument, proctype, element.scope)) {
          assigned_.insert(to);
          const size_t before = holders_[to].size();
          holders_[to].insert(sent_.begin(), sent_.end());
          changed = changed || holders_[to].size() != before;
        }
      }
      break;
    default: break;
  }
  return changed;
}

// What a send puts into messages. A number that stands for a channel is none.
bool Lowering::flow_in(const StmtNode& send, uint32_t proctype, uint32_t scope) {
  const size_t before = sent_.size();
  const uint32_t target = holder_of(*send.target, proctype, scope);
  for (size_t f = 0; f < send.arguments.size(); ++f) {
    const std::vector<uint32_t> holders = holders_in(*send.arguments[f], proctype, scope);
    for (const uint32_t from : holders) sent_.insert(holders_[from].begin(), holders_[from].end());
    if (!holders.empty() || target == kNone) continue;
    for (const uint32_t c : holders_[target]) {
      if (c == kNoChannel || f >= channels_[c].fields.size()) continue;
      if (channels_[c].fields[f].base == BaseType::Chan) sent_.insert(kNoChannel);
    }
  }
  return sent_.size() != before;
}

void Lowering::find_holders() {
  // At the start a variable holds the channels that its declaration makes, or none.
  const auto start = [&](const Symbol& symbol, const std::vector<uint32_t>& made) {
    for (size_t l = 0; l < symbol.holders.size(); ++l) {
      if (symbol.holders[l] == kNone) continue;
      std::set<uint32_t>& held = holders_[symbol.holders[l]];
      const Leaf& leaf = symbol.layout.leaves[l];
      if (leaf.declaration->channel) {
        const auto first = made.begin() + leaf.offset;
        held.insert(first, first + leaf.count);
      } else if (!leaf.declaration->init) {
        held.insert(kNoChannel);
      }
    }
  };
  for (size_t g = 0; g < globals_.size(); ++g) start(globals_[g], global_channels_[g]);
  for (const Instance& instance : instances_) {
    for (size_t l = 0; l < instance.channels.size(); ++l) {
      const Symbol& symbol = locals_[instance.proctype][l];
      if (!symbol.parameter || instance.initial) start(symbol, instance.channels[l]);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t p = 0; p < automata_.size(); ++p) {
      const Automaton& a = *automata_[p];
      for (size_t l = 0; l < a.locals().size(); ++l) {
        const DeclNode& d = *a.locals()[l].declaration;
        if (d.type != BaseType::Chan || !d.init) continue;
        changed = flow(*d.init, locals_[p][l].holders[0], p, a.locals()[l].scope) || changed;
        assigned_.insert(locals_[p][l].holders[0]);
      }
      for (const Element& e : a.elements()) changed = flow_of(e, p) || changed;
    }
  }
}

void Lowering::set_initial(const Symbol& symbol, VarId base, const std::vector<uint32_t>& channels, const Here& here) {
  model::Interpreter interpreter(system_);
  for (const Leaf& leaf : symbol.layout.leaves) {
    const DeclNode& d = *leaf.declaration;
    for (uint32_t i = 0; i < leaf.count; ++i) {
      int32_t initial = 0;
      if (d.channel) {
        initial = static_cast<int32_t>(channels[leaf.offset + i]) + 1;
      } else if (const ExprNode* init = i < d.init_list.size() ? d.init_list[i].get() : d.init.get()) {
        const ExprId e = value(*init, here);
        if (diagnostics_.has_errors()) return;
        try {
          initial = truncated(leaf.type, interpreter.value(e, system_.initial_values()));
        } catch (const model::EvalFailure& failure) {
          diagnostics_.error(init->at,
                             "the initial value cannot be computed: " + model::fault_text(system_, failure.fault));
          return;
        }
      }
      system_.variables[base.value + leaf.offset + i].initial = initial;
    }
  }
}

void Lowering::set_initial_values() {
  for (size_t g = 0; g < globals_.size(); ++g) set_initial(globals_[g], global_base_[g], global_channels_[g], {});
  for (const Instance& instance : instances_) {
    if (!instance.initial) continue;
    const Automaton& a = automaton(instance);
    system_.variables[instance.location.value].initial = static_cast<int32_t>(a.start());
    for (size_t l = 0; l < instance.locals.size(); ++l) {
      const Local& local = a.locals()[l];
      if (local.parameter || !local.at_start) continue;
      set_initial(locals_[instance.proctype][l], instance.locals[l], instance.channels[l],
                  {&instance, local.scope, false});
    }
  }
}

const Lowering::Instance* Lowering::find_instance(uint32_t pid, uint32_t proctype) const {
  const auto at = std::find_if(instances_.begin(), instances_.end(),
                               [&](const Instance& i) { return i.pid == pid && i.proctype == proctype; });
  return at == instances_.end() ? nullptr : &*at;
}

}  // namespace harrier::promela
