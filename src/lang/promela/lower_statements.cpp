// Statements: the ways in which an element can be executed.
#include <algorithm>

#include "lang/promela/lowering.h"

namespace harrier::promela {

using model::ExprId;
using model::StmtId;

namespace {

constexpr const char* kBlocks = "an indivisible sequence of statements blocks";

constexpr uint32_t kNone = UINT32_MAX;
constexpr size_t kMostInnerPoints = 10'000;

bool mentions_timeout(const ExprNode* e) {
  if (e == nullptr) return false;
  return e->kind == ExprKind::Timeout || mentions_timeout(e->a.get()) || mentions_timeout(e->b.get()) ||
         mentions_timeout(e->c.get());
}

}  // namespace

ExprId Lowering::executable(std::span<const Way> ways, SourceRef at) {
  std::vector<ExprId> any;
  for (const Way& way : ways) {
    if (way.half == Way::Half::None && !way.when_idle) any.push_back(all_of(way.guard, at));
  }
  return any_of(any, at);
}

// The first way that can be taken, in order.
StmtId Lowering::chain(std::span<const Way> ways, std::span<const StmtId> otherwise, SourceRef at) {
  StmtId out = system_.make_block(otherwise, at);
  for (size_t i = ways.size(); i-- > 0;) {
    const StmtId effect = system_.make_block(ways[i].effect, at);
    const ExprId guard = all_of(ways[i].guard, at);
    if (const auto constant = system_.constant(guard)) {
      if (*constant != 0) out = effect;
      continue;
    }
    out = system_.make_stmt({.kind = model::StmtKind::If, .expr = guard, .a = effect, .b = out, .at = at});
  }
  return out;
}

std::vector<Lowering::Way> Lowering::ways(uint32_t number, const Here& here) {
  const Element& e = automaton(*here.instance).element(number);
  Here inside = here;
  inside.scope = e.scope;
  if (e.kind == Element::Kind::DStep) return d_step(e, inside);
  if (e.kind != Element::Kind::Basic) return {Way()};  // a goto or join that is a step of its own
  return ways_of(e, inside);
}

std::vector<Lowering::Way> Lowering::ways_of(const Element& e, const Here& here) {
  const auto start = [&](const ExprNode& run, const std::optional<Place>& result) {
    if (e.d_step != 0) diagnostics_.error(run.at, "'run' inside a d_step");
    return start_process(run, result, here);
  };
  Way way;
  if (e.declaration != nullptr) {
    // A declaration in the middle sets the variable, of an array the first element only, as Spin does.
    if (e.declaration->type == BaseType::Struct) return {way};
    ExprNode ref;
    ref.kind = ExprKind::Ref;
    ref.at = e.at;
    ref.parts.push_back({e.declaration->name, nullptr, e.at});
    if (e.declaration->array_size) {
      ref.parts[0].index = std::make_unique<ExprNode>();
      ref.parts[0].index->at = e.at;
    }
    const ExprNode* init =
        e.declaration->init_list.empty() ? e.declaration->init.get() : e.declaration->init_list[0].get();
    if (init != nullptr && init->kind == ExprKind::Run) return start(*init, place(ref, here));
    const ExprId initial = init == nullptr ? number(0, e.at) : value(*init, here);
    if (const auto at = place(ref, here)) way.effect.push_back(store(*at, initial, e.at));
    return {way};
  }
  if (e.stmt == nullptr) return {way};
  const StmtNode& s = *e.stmt;
  switch (s.kind) {
    case StmtKind::Expr: {
      if (s.expr->kind == ExprKind::Run) return start(*s.expr, std::nullopt);
      if (s.expr->kind == ExprKind::SetPriority) {
        way.effect.push_back(set_priority(*s.expr, here));
        return {way};
      }
      way.guard.push_back(value(*s.expr, here));
      std::vector<Way> out;
      if (system_.constant(way.guard[0]) != 0) out.push_back(way);
      if (mentions_timeout(s.expr.get())) {
        Here idle = here;
        idle.timeout = true;
        way.guard[0] = value(*s.expr, idle);
        way.when_idle = true;
        if (system_.constant(way.guard[0]) != 0) out.push_back(way);
      }
      return out;
    }
    case StmtKind::Assign: {
      if (s.target->kind == ExprKind::Ref && s.target->parts[0].name == "_" && s.target->parts.size() == 1)
        return {way};
      if (is_priority(*s.target) && here.instance->priority.valid()) {
        Place own;
        own.base = here.instance->priority;
        own.type = {BaseType::Byte, 0};
        way.effect.push_back(store(own, value(*s.expr, here), s.at));
        return {way};
      }
      const std::optional<Place> at = place(*s.target, here);
      if (s.expr->kind == ExprKind::Run) return start(*s.expr, at);
      const ExprId assigned = value(*s.expr, here);
      if (at) way.effect.push_back(store(*at, assigned, s.at));
      return {way};
    }
    case StmtKind::Send: return send(s, here);
    case StmtKind::Receive: return receive(s, here);
    case StmtKind::Assert: {
      const ExprId holds = value(*s.expr, here);
      if (!options_.assertions) return {way};
      const auto known = std::find(assertions_.begin(), assertions_.end(), &s);
      const auto number_of = static_cast<int64_t>(known - assertions_.begin()) + 1;
      if (known == assertions_.end()) assertions_.push_back(&s);
      Way fails;
      way.guard.push_back(holds);
      fails.guard.push_back(negated(holds, s.at));
      fails.effect.push_back(set(error_, number(number_of), s.at));
      std::vector<Way> out;
      for (Way& w : std::vector<Way>{way, fails}) {
        if (system_.constant(w.guard[0]) != 0) out.push_back(std::move(w));
      }
      return out;
    }
    case StmtKind::Else:
    case StmtKind::Print: return {way};
    default: diagnostics_.unsupported(s.at, "this statement here"); return {};
  }
}

std::vector<StmtId> Lowering::birth(const Instance& child, std::span<const ExprId> arguments, SourceRef at) {
  const Automaton& a = automaton(child);
  std::vector<StmtId> out;
  for (size_t l = 0; l < child.locals.size(); ++l) {
    const Symbol& symbol = locals_[child.proctype][l];
    if (symbol.parameter) {
      Place into;
      into.base = child.locals[l];
      into.type = symbol.layout.leaves[0].type;
      out.push_back(store(into, arguments[l], at));
      continue;
    }
    if (!a.locals()[l].at_start) continue;
    for (const Leaf& leaf : symbol.layout.leaves) {
      const DeclNode& d = *leaf.declaration;
      for (uint32_t i = 0; i < leaf.count; ++i) {
        Place into;
        into.base = VarId(child.locals[l].value + leaf.offset + i);
        into.type = leaf.type;
        const ExprNode* init = i < d.init_list.size() ? d.init_list[i].get() : d.init.get();
        if (d.channel) {
          out.push_back(store(into, number(child.channels[l][leaf.offset + i] + 1), at));
        } else if (init != nullptr) {
          out.push_back(store(into, value(*init, {&child, a.locals()[l].scope, false}), d.at));
        }
      }
    }
  }
  out.push_back(set(child.location, number(a.start()), at));
  out.push_back(set(process_count_, number(child.pid + 1), at));
  return out;
}

std::vector<Lowering::Way> Lowering::start_process(const ExprNode& run, const std::optional<Place>& result,
                                                   const Here& here) {
  uint32_t proctype = 0;
  while (proctype < automata_.size() && automata_[proctype]->name() != run.parts[0].name) ++proctype;
  if (proctype == automata_.size()) {
    diagnostics_.error(run.at, "there is no proctype '" + run.parts[0].name + "'");
    return {};
  }
  const ProctypeNode& node = automata_[proctype]->proctype();
  if (run.arguments.size() != node.parameters.size()) {
    diagnostics_.error(run.at, "'" + run.parts[0].name + "' takes " + std::to_string(node.parameters.size()) +
                                   " argument" + (node.parameters.size() == 1 ? "" : "s") + ", not " +
                                   std::to_string(run.arguments.size()));
    return {};
  }
  std::vector<ExprId> arguments;
  for (const ExprPtr& a : run.arguments) arguments.push_back(value(*a, here));
  const ExprId count = system_.make_var(process_count_, run.at);
  const auto most = static_cast<uint32_t>(system_.variable(process_count_).hi);
  std::vector<Way> out;
  for (uint32_t pid = here.instance->pid + 1; pid <= most; ++pid) {
    Way way;
    way.guard.push_back(equal(count, number(pid), run.at));
    if (pid >= kMostProcesses) {
      way.effect.push_back(fail("more than 255 processes", run.at));
    } else if (const Instance* child = find_instance(pid, proctype)) {
      way.effect = birth(*child, arguments, run.at);
      if (child->priority.valid()) way.effect.push_back(set(child->priority, number(given_priority(run.a)), run.at));
      if (result) way.effect.push_back(store(*result, number(pid), run.at));
    } else {
      const std::pair<uint32_t, uint32_t> pair{pid, proctype};
      const auto known = std::find(missing_.begin(), missing_.end(), pair);
      const auto place = static_cast<int64_t>(known - missing_.begin()) + 1;
      if (known == missing_.end()) missing_.push_back(pair);
      way.effect.push_back(set(missing_variable_, number(place), run.at));
    }
    out.push_back(std::move(way));
  }
  return out;
}

// Everything inside a d_step up to its end, after the first statement: a list of statements where each has one way on,
// and otherwise a function that keeps a control point of its own.
std::vector<Lowering::Way> Lowering::d_step(const Element& e, const Here& here) {
  const Automaton& a = automaton(*here.instance);
  std::vector<Way> out;
  const uint32_t start = a.inner_start(e);
  std::vector<ExprId> before;  // a later option is taken only if the earlier ones cannot be
  for (const Automaton::Inner& inner : a.inner_steps(start)) {
    std::vector<Way> first = ways(inner.element, here);
    const ExprId can = executable(first, e.at);
    const std::vector<StmtId> rest = tail(inner.target, here);
    for (Way& way : first) {
      if (way.half == Way::Half::Send) {
        diagnostics_.error(e.at, "a rendezvous send inside a d_step");
        return {};
      }
      way.guard.insert(way.guard.end(), before.begin(), before.end());
      way.effect.insert(way.effect.end(), rest.begin(), rest.end());
      out.push_back(std::move(way));
    }
    before.push_back(negated(can, e.at));
  }
  return out;
}

std::vector<StmtId> Lowering::tail(uint32_t element, const Here& here) {
  const Automaton& a = automaton(*here.instance);
  std::vector<StmtId> out;
  std::set<uint32_t> seen;
  while (element != kNone) {
    const std::vector<Automaton::Inner> steps = a.inner_steps(element);
    if (steps.size() != 1 || !seen.insert(element).second) {
      out.push_back(as_function(element, here, a.element(element).at));
      return out;
    }
    out.push_back(perform(steps[0].element, here));
    element = steps[0].target;
  }
  return out;
}

StmtId Lowering::perform(uint32_t element, const Here& here) {
  const SourceRef at = automaton(*here.instance).element(element).at;
  const std::vector<Way> options = ways(element, here);
  if (std::any_of(options.begin(), options.end(), [](const Way& w) { return w.half != Way::Half::None; })) {
    diagnostics_.error(at, "a rendezvous inside a d_step");
  }
  const StmtId blocked[] = {fail(kBlocks, at)};
  return chain(options, blocked, at);
}

StmtId Lowering::as_function(uint32_t first, const Here& here, SourceRef at) {
  const Automaton& a = automaton(*here.instance);
  // Slot 0 is the element to execute next; 0 means the end, others are shifted by 1.
  const auto code = [](uint32_t element) { return element == kNone ? int64_t{0} : int64_t{element} + 1; };
  const auto go_to = [&](uint32_t element) {
    return system_.make_expr_stmt(
        system_.make({.op = Op::StoreLocal, .base = 0, .count = 1, .b = number(code(element)), .at = at}), at);
  };
  const auto here_code = [&] { return system_.make({.op = Op::Local, .base = 0, .at = at}); };
  StmtId body = system_.make_block(std::vector<StmtId>{fail(kBlocks, at)}, at);
  std::vector<uint32_t> open{first};
  std::set<uint32_t> seen{first};
  for (size_t i = 0; i < open.size(); ++i) {
    const SourceRef place = a.element(open[i]).at;
    std::vector<Way> options;
    for (const Automaton::Inner& inner : a.inner_steps(open[i])) {
      for (Way& way : ways(inner.element, here)) {
        if (way.half != Way::Half::None) diagnostics_.error(place, "a rendezvous inside a d_step");
        way.effect.push_back(go_to(inner.target));
        options.push_back(std::move(way));
      }
      if (inner.target != kNone && seen.insert(inner.target).second) open.push_back(inner.target);
      if (open.size() > kMostInnerPoints) {
        diagnostics_.error(at, "this d_step has too many statements");
        return body;
      }
    }
    const StmtId blocked[] = {fail(kBlocks, place)};
    const StmtId step = chain(options, blocked, place);
    const ExprId is_here = equal(here_code(), number(code(open[i])), place);
    body = system_.make_stmt({.kind = model::StmtKind::If, .expr = is_here, .a = step, .b = body, .at = place});
  }
  const ExprId goes_on = system_.make_binary(Op::Ne, here_code(), number(0), at);
  const StmtId loop = system_.make_stmt({.kind = model::StmtKind::While, .expr = goes_on, .a = body, .at = at});
  const StmtId start = go_to(first);
  model::Function f;
  f.name = "d_step";
  f.slots = 1;
  f.body = system_.make_block(std::vector<StmtId>{start, loop}, at);
  f.at = at;
  return call(std::move(f));
}

StmtId Lowering::call(model::Function function) {
  const SourceRef at = function.at;
  system_.functions.push_back(std::move(function));
  return system_.make_expr_stmt(
      system_.make({.op = Op::Call, .base = static_cast<uint32_t>(system_.functions.size() - 1), .at = at}), at);
}

}  // namespace harrier::promela
