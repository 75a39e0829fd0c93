#include "random/reducer.h"

#include <algorithm>
#include <type_traits>

namespace harrier::testing_support {

namespace {

using Change = std::function<void(TaModel&)>;

template <class T>
void erase_at(std::vector<T>& items, size_t i) {
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
}

void erase_instance(TaModel& model, size_t number) {
  erase_at(model.instances, number);
  for (TaQuery& query : model.queries) {
    for (auto& clause : query.clauses) {
      std::erase_if(clause, [&](const TaGoalAtom& atom) {
        return atom.kind != TaGoalAtom::Kind::Deadlock && atom.instance == number;
      });
      for (TaGoalAtom& atom : clause) {
        if (atom.kind == TaGoalAtom::Kind::Deadlock) atom.instance = 0;
        if (atom.instance > number) --atom.instance;
      }
    }
    std::erase_if(query.clauses, [](const auto& clause) { return clause.empty(); });
  }
  std::erase_if(model.queries, [](const TaQuery& query) { return query.clauses.empty(); });
}

void erase_template(TaModel& model, size_t number) {
  erase_at(model.templates, number);
  for (TaInstance& instance : model.instances) {
    if (instance.of > number) --instance.of;
  }
}

// Declarations are only dropped from the end, where no index changes, and only if nothing uses them.
bool is_unused(const TaModel& model, const std::string& name) {
  const std::vector<TaNameEvent> events = name_events(model);
  return std::none_of(events.begin(), events.end(), [&](const TaNameEvent& event) {
    return event.kind >= TaNameEvent::Kind::Use && event.name == &name;
  });
}

// Drops the last declaration of a kind, if there is one that nothing uses.
template <class List>
void drop_last(const TaModel& model, const List& list, TaDeclaration::Kind kind,
               const std::function<List&(TaModel&)>& in_model,
               const std::function<std::vector<TaDeclaration>&(TaModel&)>& order, std::vector<Change>& out) {
  const auto name_of = [](const auto& item) -> const std::string& {
    if constexpr (std::is_same_v<List, std::vector<std::string>>) {
      return item;
    } else {
      return item.name;
    }
  };
  if (list.empty() || !is_unused(model, name_of(list.back()))) return;
  const size_t last = list.size() - 1;
  out.push_back([=](TaModel& m) {
    in_model(m).pop_back();
    std::erase_if(order(m), [&](const TaDeclaration& d) { return d.kind == kind && d.index == last; });
  });
}

// The model itself, or template `t` of it.
template <class Owner>
void declaration_changes(const TaModel& model, const Owner& owner, const std::function<Owner&(TaModel&)>& at,
                         std::vector<Change>& out) {
  using Kind = TaDeclaration::Kind;
  const std::function<std::vector<TaDeclaration>&(TaModel&)> order = [=](TaModel & m) -> auto& { return at(m).order; };
  drop_last<std::vector<TaVariable>>(
      model, owner.variables, Kind::Variable, [=](TaModel & m) -> auto& { return at(m).variables; }, order, out);
  drop_last<std::vector<std::string>>(
      model, owner.clocks, Kind::Clock, [=](TaModel & m) -> auto& { return at(m).clocks; }, order, out);
  drop_last<std::vector<TaFunction>>(
      model, owner.functions, Kind::Function, [=](TaModel & m) -> auto& { return at(m).functions; }, order, out);
  drop_last<std::vector<TaTypedef>>(
      model, owner.types, Kind::Type, [=](TaModel & m) -> auto& { return at(m).types; }, order, out);
  for (size_t f = 0; f < owner.functions.size(); ++f) {
    for (size_t i = 0; i < owner.functions[f].body.size(); ++i) {
      const TaStatement& s = owner.functions[f].body[i];
      if (s.kind == TaStatement::Kind::Return) continue;
      out.push_back([=](TaModel& m) { erase_at(at(m).functions[f].body, i); });
      if (s.body.empty() || s.kind == TaStatement::Kind::ForRange || s.kind == TaStatement::Kind::Block) continue;
      out.push_back([=](TaModel& m) {
        auto& body = at(m).functions[f].body;
        const std::vector<TaStatement> inner = body[i].body;
        erase_at(body, i);
        body.insert(body.begin() + static_cast<std::ptrdiff_t>(i), inner.begin(), inner.end());
      });
    }
    const auto& locals = owner.functions[f].locals;
    if (!locals.empty() && is_unused(model, model.slots[locals.back().slot].name)) {
      out.push_back([=](TaModel& m) { at(m).functions[f].locals.pop_back(); });
    }
  }
}

void simplify_expressions(const TaExprPtr& e, const std::function<void(TaExprPtr)>& offer) {
  switch (e->op) {
    case TaOp::And:
    case TaOp::Or:
    case TaOp::Imply:
    case TaOp::Not:
    case TaOp::Ite:
      for (const TaExprPtr& arg : e->args) offer(arg);
      break;
    case TaOp::Assign:
      if (e->args[1]->op == TaOp::Const) break;
      for (int32_t c = -1; c <= 2; ++c) offer(ta_node(TaOp::Assign, {e->args[0], ta_const(c)}));
      break;
    default: break;
  }
}

void edge_changes(const TaModel& model, size_t t, size_t n, std::vector<Change>& out) {
  const TaEdge& e = model.templates[t].edges[n];
  const auto at = [t, n](TaModel& m) -> TaEdge& { return m.templates[t].edges[n]; };
  for (size_t i = 0; i < e.guard.size(); ++i) {
    out.push_back([=](TaModel& m) { erase_at(at(m).guard, i); });
    if (e.guard[i].clock && e.guard[i].clock->condition) {
      out.push_back([=](TaModel& m) { at(m).guard[i].clock->condition = nullptr; });
    }
    if (e.guard[i].expr) {
      simplify_expressions(e.guard[i].expr, [&](const TaExprPtr& simpler) {
        out.push_back([=](TaModel& m) { at(m).guard[i].expr = simpler; });
      });
    }
  }
  for (size_t i = 0; i < e.updates.size(); ++i) {
    out.push_back([=](TaModel& m) { erase_at(at(m).updates, i); });
    simplify_expressions(e.updates[i].expr, [&](const TaExprPtr& simpler) {
      out.push_back([=](TaModel& m) { at(m).updates[i].expr = simpler; });
    });
    if (e.updates[i].clock && e.updates[i].expr->value != 0) {
      out.push_back([=](TaModel& m) { at(m).updates[i].expr = ta_const(0); });
    }
  }
  if (e.sync) out.push_back([=](TaModel& m) { at(m).sync.reset(); });
  if (!e.selects.empty() && is_unused(model, model.slots[e.selects.back()].name)) {
    out.push_back([=](TaModel& m) { at(m).selects.pop_back(); });
  }
}

std::vector<Change> changes(const TaModel& model) {
  std::vector<Change> out;
  for (size_t i = 0; i < model.queries.size(); ++i) {
    if (model.queries.size() > 1) out.push_back([=](TaModel& m) { erase_at(m.queries, i); });
    for (size_t c = 0; c < model.queries[i].clauses.size(); ++c) {
      if (model.queries[i].clauses.size() > 1) out.push_back([=](TaModel& m) { erase_at(m.queries[i].clauses, c); });
      for (size_t a = 0; a < model.queries[i].clauses[c].size(); ++a) {
        if (model.queries[i].clauses[c].size() > 1) {
          out.push_back([=](TaModel& m) { erase_at(m.queries[i].clauses[c], a); });
        }
      }
    }
    if (model.queries[i].as_invariant) out.push_back([=](TaModel& m) { m.queries[i].as_invariant = false; });
  }
  for (size_t i = 0; i < model.instances.size(); ++i) {
    if (model.instances.size() > 1 && !model.templates[model.instances[i].of].instantiated_by_range) {
      out.push_back([=](TaModel& m) { erase_instance(m, i); });
    }
    if (model.instances[i].priority != 0) {
      out.push_back([=](TaModel& m) {
        for (size_t j = i; j < m.instances.size(); ++j) --m.instances[j].priority;
      });
    }
  }
  if (!model.channel_priority.empty()) out.push_back([](TaModel& m) { m.channel_priority.clear(); });
  for (size_t t = 0; t < model.templates.size(); ++t) {
    const TaTemplate& of = model.templates[t];
    if (std::none_of(model.instances.begin(), model.instances.end(), [&](const TaInstance& i) { return i.of == t; })) {
      out.push_back([=](TaModel& m) { erase_template(m, t); });
      continue;
    }
    if (of.instantiated_by_range) {
      out.push_back([=](TaModel& m) {
        m.templates[t].instantiated_by_range = false;
        for (size_t i = 0; i < m.instances.size(); ++i) {
          if (m.instances[i].of == t) m.instances[i].name = "P" + std::to_string(i);
        }
      });
    }
    for (size_t e = 0; e < of.edges.size(); ++e) out.push_back([=](TaModel& m) { erase_at(m.templates[t].edges, e); });
    for (size_t e = 0; e < of.edges.size(); ++e) edge_changes(model, t, e, out);
    for (size_t l = 0; l < of.locations.size(); ++l) {
      for (size_t i = 0; i < of.locations[l].invariant.size(); ++i) {
        out.push_back([=](TaModel& m) { erase_at(m.templates[t].locations[l].invariant, i); });
      }
      if (of.locations[l].kind != TaLocationKind::Normal) {
        out.push_back([=](TaModel& m) { m.templates[t].locations[l].kind = TaLocationKind::Normal; });
      }
    }
    declaration_changes<TaTemplate>(
        model, of, [=](TaModel& m) -> TaTemplate& { return m.templates[t]; }, out);
  }
  declaration_changes<TaModel>(
      model, model, [](TaModel& m) -> TaModel& { return m; }, out);
  if (!model.channels.empty() && model.channel_priority.empty() && is_unused(model, model.channels.back().name)) {
    out.push_back([](TaModel& m) { m.channels.pop_back(); });
  }
  for (size_t c = 0; c < model.channels.size(); ++c) {
    if (model.channels[c].urgent) out.push_back([=](TaModel& m) { m.channels[c].urgent = false; });
  }
  return out;
}

size_t size_of(const TaModel& model) {
  size_t size = to_xta(model).size();
  for (const TaQuery& query : model.queries) size += to_query(model, query).size();
  return size;
}

}  // namespace

TaModel reduce(TaModel model, const std::function<bool(const TaModel&)>& still_fails) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (const Change& change : changes(model)) {
      TaModel candidate = model;
      change(candidate);
      if (candidate.queries.empty() || candidate.instances.empty() || size_of(candidate) == size_of(model)) continue;
      if (!still_fails(candidate)) continue;
      model = std::move(candidate);
      smaller = true;
      break;
    }
  }
  return model;
}

}  // namespace harrier::testing_support
