// Function calls.
//
// A function of the model has integers as parameters and yields one integer. Therefore a function of the language is
// specialised for what it is given by reference: the variables are known while its body is lowered, and only indices
// that vary are passed, as hidden parameters.
//
// A reference into a local variable of the caller is passed as a copy of the whole variable, because frames are
// private. What the callee does to the copy, and the parts of a structure that it returns, are its *outputs*. A callee
// that changes nothing else is called once for every output (a variant of it yields just that output). Otherwise it is
// called once and hands its outputs over in *transfer variables*, which hold their initial value again when the call is
// over.
#include <algorithm>
#include <utility>

#include "base/suggest.h"
#include "lang/uppaal/elaborator.h"

namespace harrier::uppaal {

const Symbol* Elaborator::callee(const Expr& expr, Context context) {
  const Expr& named = *expr.a;
  const bool of_process = named.kind == ExprKind::Dot && names_process(*named.a, context);
  if (named.kind != ExprKind::Name && !of_process) {
    error(expr.at, "only a function can be called");
    return nullptr;
  }
  const Symbol* symbol = nullptr;
  if (of_process) {
    const Process* found = process(*named.a, context);
    if (found == nullptr) return nullptr;
    symbol = found->scope->own(named.name);
    if (symbol == nullptr) {
      const std::string close = suggestion(named.name, found->scope->names());
      error(named.at, "process '" + system_.process(found->id).name + "' has no function '" + std::string(named.name) +
                          "'" + (close.empty() ? "" : "; " + close));
      return nullptr;
    }
  } else {
    symbol = context.scope->find(named.name);
  }
  if (symbol->kind == SymbolKind::Function) return symbol;
  const bool is_process = symbol->kind == SymbolKind::Template || symbol->kind == SymbolKind::Instance;
  error(expr.at, "'" + std::string(named.name) + "'" +
                     (is_process ? " is a process; name one of its locations or variables, as in 'P(1).x'"
                                 : " is not a function"));
  return nullptr;
}

Operand Elaborator::call(const Expr& expr, Context context) {
  if (expr.a->kind == ExprKind::Name && context.scope->find(expr.a->name) == nullptr) return builtin(expr, context);
  const Symbol* symbol = callee(expr, context);
  if (symbol == nullptr) return bad();
  const std::string quoted = "'" + std::string(expr.a->name) + "'";
  const FunctionNode& function = *symbol->function;
  const Signature& types = signature(function, symbol->home, symbol->order);
  if (!types.good) return bad();
  if (expr.items.size() != function.parameters.size()) {
    error(expr.at, quoted + " takes " + std::to_string(function.parameters.size()) +
                       (function.parameters.size() == 1 ? " argument" : " arguments") + ", but " +
                       std::to_string(expr.items.size()) + (expr.items.size() == 1 ? " is given" : " are given"));
    return bad();
  }
  Call made;
  made.function = &function;
  made.home = symbol->home;
  made.order = symbol->order;
  made.signature = &types;
  Operand result{.kind = OperandKind::Value, .type = types.result};
  bool good = true;
  for (size_t i = 0; i < expr.items.size(); ++i) {
    good =
        prepare_argument(function.parameters[i], *types.parameters[i], *expr.items[i], context, made, result) && good;
  }
  if (!good) return bad();
  const FunctionInfo info = specialise(made);
  if (!info.good) return bad();
  result.effect |= info.effect;
  result.state |= info.state;
  if (context.frame != nullptr) {
    context.frame->effect |= info.effect;
    context.frame->state |= result.state;
  }
  const bool writes_back = std::find(info.written.begin(), info.written.end(), true) != info.written.end();
  if (writes_back || types.result->data > 1) return call_with_outputs(made, info, std::move(result), context, expr.at);
  result.expr = make_call(info.id, call_values(made), expr.at);
  if (types.result->kind == TypeKind::Void) {
    result.kind = OperandKind::Void;
  } else if (types.result->aggregate()) {
    result.kind = OperandKind::Parts;
    result.parts = {result.expr};
  } else {
    result.lo = types.result->lo;
    result.hi = types.result->hi;
  }
  return result;
}

const Elaborator::Signature& Elaborator::signature(const FunctionNode& function, NameScope* home, uint32_t order) {
  const auto key = std::make_pair(&function, static_cast<const NameScope*>(home));
  if (const auto found = signatures_.find(key); found != signatures_.end()) return found->second;
  Signature result;
  const Context context{&new_scope(home, order)};
  result.result = resolve(*function.result, context);
  if (result.result->kind == TypeKind::Array || result.result->clocks > 0 || result.result->channels > 0) {
    error(function.result->at, "a function cannot return " + describe(*result.result));
    result.good = false;
  }
  result.good = result.good && result.result->kind != TypeKind::Bad;
  for (const Declarator& parameter : function.parameters) {
    const Type* type = resolve(parameter, context);
    if (type->kind == TypeKind::Void) error(parameter.at, "a parameter cannot be of type void");
    result.good = result.good && type->kind != TypeKind::Bad && type->kind != TypeKind::Void;
    result.parameters.push_back(type);
  }
  return signatures_.emplace(key, std::move(result)).first->second;
}

bool Elaborator::prepare_argument(const Declarator& parameter, const Type& type, const Expr& arg, Context context,
                                  Call& call, Operand& result) {
  Operand operand = lower(arg, context);
  if (operand.kind == OperandKind::Bad) return false;
  if (operand.kind == OperandKind::Void || operand.kind == OperandKind::Clock || !compatible(type, *operand.type)) {
    error(arg.at, "the parameter '" + std::string(parameter.name) + "' is " + describe(type) +
                      ", but the argument is " + describe(*operand.type));
    return false;
  }
  result.effect |= operand.effect;
  result.state |= operand.state;
  result.local |= operand.local;
  Argument argument;
  const bool only_by_reference = type.clocks > 0 || type.channels > 0;
  const bool is_const = parameter.type->is_const;
  if ((parameter.reference && !is_const) || only_by_reference ||
      (parameter.reference && operand.kind == OperandKind::Place && type.aggregate())) {
    if (operand.kind != OperandKind::Place || (!operand.place.writable && !is_const && !only_by_reference)) {
      error(arg.at,
            "the parameter '" + std::string(parameter.name) + "' is a reference: the argument must be a variable");
      return false;
    }
    argument.by_reference = true;
    argument.place = operand.place;
    if (is_const) argument.place.writable = false;
    if (argument.place.root == Root::Local) {
      const auto same = [&](const Frame::Block& block) { return block.first == argument.place.block; };
      if (std::find_if(call.blocks.begin(), call.blocks.end(), same) == call.blocks.end()) {
        call.blocks.push_back({argument.place.block, argument.place.block_type, false});
      }
    }
  } else if (type.aggregate()) {
    if (operand.kind == OperandKind::Place) {
      for (const IndexTerm& term : operand.place.terms) {
        if (term.effect) {
          unsupported(arg.at, "a structure or array argument whose index has side effects");
          return false;
        }
      }
    }
    const auto targets = leaves(type);
    const auto sources = leaves(*operand.type);
    const auto exprs = parts(operand, arg.at);
    for (size_t i = 0; i < exprs.size(); ++i) {
      Operand one = value(exprs[i], sources[i]);
      one.lo = sources[i]->lo;
      one.hi = sources[i]->hi;
      argument.values.push_back(convert(one, *targets[i], true, arg.at));
    }
  } else {
    operand = to_scalar(std::move(operand), arg.at);
    if (operand.kind == OperandKind::Bad) return false;
    argument.values.push_back(convert(operand, type, true, arg.at));
  }
  call.arguments.push_back(std::move(argument));
  return true;
}

// The values that are passed: arguments, then hidden indices, then copies of the caller's variables.
std::vector<ExprId> Elaborator::call_values(const Call& call) const {
  std::vector<ExprId> result;
  for (const Argument& argument : call.arguments) {
    result.insert(result.end(), argument.values.begin(), argument.values.end());
  }
  for (const Argument& argument : call.arguments) {
    for (const IndexTerm& term : argument.place.terms) result.push_back(term.index);
  }
  for (const Frame::Block& block : call.blocks) {
    for (uint32_t i = 0; i < block.size(); ++i) {
      result.push_back(system_.make({.op = Op::Local, .base = block.first + i, .at = call.function->at}));
    }
  }
  return result;
}

ExprId Elaborator::make_call(model::FunctionId function, const std::vector<ExprId>& values, SourceRef at) {
  model::Expr node{.op = Op::Call, .base = function.value, .at = at};
  node.value = static_cast<int32_t>(system_.arguments.size());
  node.count = static_cast<uint32_t>(values.size());
  system_.arguments.insert(system_.arguments.end(), values.begin(), values.end());
  return system_.make(node);
}

std::string Elaborator::key_of(const Call& call) const {
  std::string key;
  const auto add = [&](uint64_t number) { key += std::to_string(number) + ","; };
  add(reinterpret_cast<uintptr_t>(call.function));
  add(reinterpret_cast<uintptr_t>(call.home));
  for (const Argument& argument : call.arguments) {
    if (!argument.by_reference) continue;
    const Place& place = argument.place;
    add(static_cast<uint64_t>(place.root));
    add(place.writable);
    if (place.root == Root::Local) {
      uint64_t number = 0;
      while (call.blocks[number].first != place.block) ++number;
      add(number);
      add(reinterpret_cast<uintptr_t>(place.block_type));
      add(place.data - place.block);
    } else {
      add(place.data);
      add(place.clock);
      add(place.channel);
      add(reinterpret_cast<uintptr_t>(place.constant));
    }
    for (const IndexTerm& term : place.terms) {
      add(term.count);
      add(term.data_stride);
      add(term.clock_stride);
      add(term.channel_stride);
    }
    key += ";";
  }
  add(call.output);
  add(call.outputs.size());
  for (const model::VarId variable : call.transfer) add(variable.value);
  return key;
}

const Elaborator::FunctionInfo& Elaborator::specialise(const Call& call) {
  const std::string key = key_of(call);
  if (const auto found = functions_.find(key); found != functions_.end()) return found->second;
  FunctionInfo info;
  if (in_progress_.contains(call.function)) {
    error(call.function->at, "recursion is not supported: '" + std::string(call.function->name) + "' calls itself");
    info.good = false;
    return functions_[key] = info;
  }
  in_progress_.insert(call.function);
  used_functions_.insert(call.function);
  info = build_function(call);
  in_progress_.erase(call.function);
  return functions_[key] = info;
}

Elaborator::FunctionInfo Elaborator::build_function(const Call& call) {
  const FunctionNode& function = *call.function;
  Frame frame;
  frame.function = &function;
  frame.result = call.signature->result;
  frame.output = call.output;
  frame.transfer = call.transfer;
  NameScope& scope = new_scope(call.home, call.order + 1);
  const Context context{&scope, &frame};
  std::vector<Symbol> symbols;
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    const Declarator& parameter = function.parameters[i];
    Symbol symbol{.kind = SymbolKind::Place, .at = parameter.at};
    if (call.arguments[i].by_reference) {
      symbol.place = call.arguments[i].place;
    } else {
      symbol.place.root = Root::Local;
      symbol.place.writable = !parameter.type->is_const;
      symbol.place.block = symbol.place.data = new_slots(call.signature->parameters[i]->data, context);
      symbol.place.block_type = call.signature->parameters[i];
      symbol.place.type = call.signature->parameters[i];
    }
    symbols.push_back(std::move(symbol));
  }
  for (size_t i = 0; i < symbols.size(); ++i) {
    if (!call.arguments[i].by_reference) continue;
    for (IndexTerm& term : symbols[i].place.terms) {
      term.index = local(new_slots(1, context), function.at);
      term.effect = false;
      term.state = false;
      term.local = true;
    }
  }
  for (const Frame::Block& block : call.blocks) {
    const uint32_t first = new_slots(block.size(), context);
    frame.blocks.push_back({first, block.type, false});
    for (size_t i = 0; i < symbols.size(); ++i) {
      Place& place = symbols[i].place;
      if (!call.arguments[i].by_reference || place.root != Root::Local ||
          call.arguments[i].place.block != block.first) {
        continue;
      }
      place.data = first + (call.arguments[i].place.data - block.first);
      place.block = first;
    }
  }
  // Outputs are given as offsets into the caller's blocks, laid end to end.
  for (const uint32_t output : call.outputs) {
    uint32_t at = output;
    size_t number = 0;
    while (at >= frame.blocks[number].size()) at -= frame.blocks[number++].size();
    frame.outputs.push_back(frame.blocks[number].first + at);
  }
  const uint32_t parameters = frame.slots;
  for (size_t i = 0; i < symbols.size(); ++i) declare(scope, function.parameters[i].name, symbols[i]);
  const uint64_t unrolled = std::exchange(unrolled_, 1);
  std::vector<StmtId> body;
  const size_t errors_before = reported_.size();
  depth_ += kCallWeight;
  if (depth_ < kMaxRecursion) {
    block(*function.body, context, body);
  } else {
    error(function.at, "functions call each other too deeply");
  }
  depth_ -= kCallWeight;
  unrolled_ = unrolled;
  FunctionInfo info;
  info.good = reported_.size() == errors_before || !diagnostics_->has_errors();
  const bool returned = !body.empty() && system_.stmt(body.back()).kind == model::StmtKind::Return;
  if ((!call.outputs.empty() || !call.transfer.empty()) && !returned) finish_outputs(frame, body, function.at);
  info.effect = frame.effect;
  info.state = frame.state;
  for (const Frame::Block& copied : frame.blocks) info.written.push_back(copied.written);
  info.id = model::FunctionId(system_.functions.size());
  const StmtId whole = system_.make_block(body, function.at);
  system_.functions.push_back({std::string(function.name), parameters, frame.slots, whole, function.at});
  return info;
}

Operand Elaborator::call_with_outputs(Call& call, const FunctionInfo& info, Operand result, Context context,
                                      SourceRef at) {
  // Arguments are evaluated once, into slots.
  ExprId sequence;
  const auto keep = [&](ExprId& expr) {
    if (system_.constant(expr)) return;
    const uint32_t slot = new_slots(1, context);
    sequence = comma(sequence, store_local(slot, expr, at), at);
    expr = local(slot, at);
  };
  for (Argument& argument : call.arguments) {
    for (ExprId& given : argument.values) keep(given);
    for (IndexTerm& term : argument.place.terms) keep(term.index);
  }
  std::vector<uint32_t> targets;  // the caller's slots that are written back
  std::vector<const Type*> output_types = leaves(*result.type);
  uint32_t offset_of_block = 0;
  for (size_t b = 0; b < call.blocks.size(); ++b) {
    const auto block_types = leaves(*call.blocks[b].type);
    for (uint32_t i = 0; i < call.blocks[b].size() && info.written[b]; ++i) {
      output_types.push_back(block_types[i]);
      call.outputs.push_back(offset_of_block + i);
      targets.push_back(call.blocks[b].first + i);
    }
    offset_of_block += call.blocks[b].size();
  }
  const uint32_t result_parts = result.type->data;
  const auto total = result_parts + static_cast<uint32_t>(targets.size());
  const uint32_t first = new_slots(total, context);
  if (info.effect) {
    // One set of transfer variables serves all calls: a function is never called while it runs.
    auto [entry, fresh] = transfers_.try_emplace(key_of(call));
    const std::string name = std::string(call.function->name) + " " + std::to_string(transfers_.size());
    for (uint32_t i = 0; i < total && fresh; ++i) {
      const Type& leaf = *output_types[i];
      entry->second.push_back(model::VarId(system_.variables.size()));
      system_.variables.push_back({"(" + name + " output " + std::to_string(i) + ")", std::min(leaf.lo, 0),
                                   std::max(leaf.hi, 0), 0, model::VarKind::Data, at, true});
    }
    call.transfer = entry->second;
    sequence = comma(sequence, make_call(specialise(call).id, call_values(call), at), at);
    for (uint32_t i = 0; i < total; ++i) {
      const model::VarId from = call.transfer[i];
      sequence = comma(sequence, store_local(first + i, system_.make_var(from, at), at), at);
      sequence = comma(
          sequence, system_.make({.op = Op::Store, .base = from.value, .b = system_.make_const(0, at), .at = at}), at);
    }
  } else {
    for (uint32_t i = 0; i < total; ++i) {
      call.output = i;
      const model::FunctionId variant = specialise(call).id;
      sequence = comma(sequence, store_local(first + i, make_call(variant, call_values(call), at), at), at);
    }
  }
  for (size_t i = 0; i < targets.size(); ++i) {
    const uint32_t from = first + result_parts + static_cast<uint32_t>(i);
    sequence = comma(sequence, store_local(targets[i], local(from, at), at), at);
    if (context.frame != nullptr) {
      Place written{.root = Root::Local};
      written.data = targets[i];
      note_write(written, context);
    }
  }
  result.effect = result.effect || !targets.empty();
  result.local = true;
  if (result_parts == 0) {
    result.kind = OperandKind::Void;
    result.expr = sequence;
    return result;
  }
  if (!result.type->aggregate()) {
    result.expr = comma(sequence, local(first, at), at);
    result.lo = result.type->lo;
    result.hi = result.type->hi;
    return result;
  }
  result.kind = OperandKind::Parts;
  result.prelude = sequence;
  for (uint32_t i = 0; i < result_parts; ++i) result.parts.push_back(local(first + i, at));
  return result;
}

}  // namespace harrier::uppaal
