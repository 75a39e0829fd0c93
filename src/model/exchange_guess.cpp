#include "model/exchange_guess.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/hash.h"
#include "model/alike.h"
#include "model/analysis.h"
#include "model/operators.h"
#include "model/ranges.h"

namespace harrier::model {

namespace {

constexpr uint32_t kOpen = UINT32_MAX;
constexpr int64_t kMostElements = 1 << 16;
constexpr size_t kMostOpenEdges = 64;  // that are compared with each other

// What two expressions that correspond have in common; with variables, or also constants, for those that are written
// alike.
class Shapes {
 public:
  enum Detail : uint8_t { Bare, Variables, All };
  explicit Shapes(const System& system, Detail detail = Bare) : system_(system), detail_(detail) {}

  uint64_t of(const Edge& e) {
    uint64_t h = mix64(uint64_t{e.source} << 32 | e.target);
    const auto add = [&](uint64_t part) { h = mix64(h ^ part) + part; };
    add(static_cast<uint64_t>(e.direction));
    add(uint64_t{e.urgency} << 2 | uint64_t{e.when_idle} << 1 | uint64_t{e.keeps_control});
    add(e.guard.size());
    add(e.clock_guard.size());
    for (const ExprId g : e.guard) add(of(g));
    for (const ClockConstraint& c : e.clock_guard) {
      add(of(c.condition));
      add(of(c.bound) + (c.left.value == 0 ? 2 : 0) + (c.right.value == 0 ? 1 : 0));
    }
    for (const StmtId s : e.effect) add(of(s));
    return h;
  }
  uint64_t of(ExprId id) {
    if (!id.valid()) return 1;
    const Expr& e = system_.expr(id);
    uint64_t h = mix64(static_cast<uint64_t>(e.op) * 31 + e.count);
    if (detail_ != Bare) h = mix64(h ^ e.base) + 13;
    if (detail_ == All && e.op != Op::Call) h = mix64(h ^ static_cast<uint32_t>(e.value)) + 17;
    for (const ExprId part : {e.a, e.b, e.c}) h = mix64(h ^ of(part)) + 7;
    if (e.op == Op::Call) {
      for (const ExprId argument : system_.call_arguments(e)) h = mix64(h ^ of(argument)) + 3;
    }
    return h;
  }

 private:
  uint64_t of(StmtId id) {
    if (!id.valid()) return 2;
    const Stmt& s = system_.stmt(id);
    uint64_t h = mix64(static_cast<uint64_t>(s.kind) + 100);
    for (const uint64_t part : {of(s.expr), of(s.offset), of(s.a), of(s.b)}) h = mix64(h ^ part) + 5;
    if (s.kind == StmtKind::Block) {
      for (const StmtId child : system_.block(s)) h = mix64(h ^ of(child)) + 11;
    }
    return h;
  }

  const System& system_;
  Detail detail_;
};

// Operands may come in any order.
bool is_list(Op op) {
  return op == Op::And || op == Op::Or || op == Op::Add || op == Op::BitAnd || op == Op::BitOr || op == Op::BitXor ||
         op == Op::Min || op == Op::Max;
}

bool contains(const std::vector<uint32_t>& sorted, uint32_t value) {
  return std::binary_search(sorted.begin(), sorted.end(), value);
}

}  // namespace

// One that is being made, with a trail so that attempts can be taken back.
class ExchangeGuesser::Guess {
 public:
  explicit Guess(const ExchangeGuesser& of)
      : of_(of),
        system_(of.system_),
        classes_(of.classes_),
        maps_{std::vector<uint32_t>(system_.variables.size(), kOpen),
              std::vector<uint32_t>(system_.clocks.size(), kOpen),
              std::vector<uint32_t>(system_.channels.size(), kOpen),
              std::vector<uint32_t>(system_.processes.size(), kOpen)},
        names_(classes_.count()) {}

  bool make(ProcessId a, ProcessId b) {
    if (!processes(a.value, b.value)) return false;
    for (;;) {
      if (!follow_up()) return false;
      bool progress = false;
      if (!match_edges(progress)) return false;
      if (!progress && followed_ == trail_.size() && !number_by(a.value, b.value)) return true;
    }
  }
  Exchange result() const;

 private:
  enum Map : uint8_t { Variables, Clocks, Channels, Processes, Names };
  struct Trail {
    Map map;
    uint32_t a = 0;  // or the class of the names
    uint32_t b = 0;
  };
  struct OpenEdges {
    std::vector<EdgeId> a;
    std::vector<EdgeId> b;
  };

  bool pair(Map map, uint32_t a, uint32_t b) {
    std::vector<uint32_t>& to = maps_[map];
    if (to[a] != kOpen || to[b] != kOpen) return to[a] == b && to[b] == a;
    to[a] = b;
    to[b] = a;
    trail_.push_back({map, a, b});
    return true;
  }
  bool pair_names(uint32_t kind, int32_t a, int32_t b) {
    if (kind >= ValueClasses::kAny || !classes_.are_names(kind)) return a == b;
    for (const auto& [x, y] : names_[kind]) {
      if (a == x || a == y || b == x || b == y) return (a == x && b == y) || (a == y && b == x);
    }
    names_[kind].emplace_back(a, b);
    trail_.push_back({Names, kind, 0});
    return true;
  }
  void take_back(size_t length) {
    for (; trail_.size() > length; trail_.pop_back()) {
      const Trail& t = trail_.back();
      if (t.map == Names) {
        names_[t.a].pop_back();
      } else {
        maps_[t.map][t.a] = maps_[t.map][t.b] = kOpen;
      }
    }
  }

  bool processes(uint32_t a, uint32_t b);
  bool locals(const Process& a, const Process& b);
  struct Choice {
    size_t group = 0;
    size_t a = 0;
    size_t b = 0;
    size_t asks = std::numeric_limits<size_t>::max();
    size_t fitting = 0;
    bool stays = false;
  };
  std::optional<size_t> asks(EdgeId a, EdgeId b);
  Choice choose(size_t group, size_t a);
  bool match_edges(bool& progress);
  bool commit(OpenEdges& open, size_t a, size_t b);
  bool follow_up();
  bool follow(const Access& access);
  bool complete(const std::vector<uint32_t>& family);
  bool number_by(uint32_t process, uint32_t other);
  bool users(Map map, uint32_t a, uint32_t b);
  bool servers();
  bool compare(const Edge& a, const Edge& b);
  bool compare(const ClockConstraint& a, const ClockConstraint& b);
  bool compare(StmtId a, StmtId b, uint32_t frame_a, uint32_t frame_b);
  bool compare(ExprId a, ExprId b, uint32_t kind, uint32_t frame_a, uint32_t frame_b);
  bool compare_lists(std::vector<ExprId> a, std::vector<ExprId> b, uint32_t frame_a, uint32_t frame_b);
  void add_operands(Op op, ExprId id, std::vector<ExprId>& out) const;
  bool compare_block(uint32_t first_a, uint32_t first_b, uint32_t count);
  // Of accesses with constant indices.
  std::optional<bool> pair_elements(const Expr& a, const Expr& b) {
    const auto i = constant_index(system_, a.a);
    const auto j = constant_index(system_, b.a);
    if (!i || !j) return std::nullopt;
    const auto fits = [&](uint32_t k) { return k < a.count; };
    return fits(*i) && fits(*j) && pair(Variables, a.base + *i, b.base + *j);
  }

  const ExchangeGuesser& of_;
  const System& system_;
  const ValueClasses& classes_;
  std::vector<uint32_t> maps_[4];
  std::vector<Exchange::Names> names_;
  std::vector<Trail> trail_;
  size_t followed_ = 0;  // of the trail
  std::vector<OpenEdges> open_;
};

bool ExchangeGuesser::Guess::processes(uint32_t a, uint32_t b) {
  if (maps_[Processes][a] != kOpen || maps_[Processes][b] != kOpen) return pair(Processes, a, b);
  const Process& of_a = system_.processes[a];
  const Process& of_b = system_.processes[b];
  if (of_a.edges.size() != of_b.edges.size() || of_a.locations.size() != of_b.locations.size()) return false;
  if (!pair(Processes, a, b) || !pair(Variables, of_a.location.value, of_b.location.value)) return false;
  if (a != b && !locals(of_a, of_b)) return false;
  for (size_t l = 0; l < of_a.locations.size(); ++l) {
    const auto& one = of_a.locations[l].clock_invariant;
    const auto& other = of_b.locations[l].clock_invariant;
    if (one.size() != other.size()) return false;
    for (size_t i = 0; i < one.size(); ++i) {
      if (!compare(one[i], other[i])) return false;
    }
  }
  std::map<uint64_t, OpenEdges> groups;
  for (const EdgeId e : of_a.edges) groups[of_.shape_[e.value]].a.push_back(e);
  for (const EdgeId e : of_b.edges) groups[of_.shape_[e.value]].b.push_back(e);
  for (auto& [shape, group] : groups) {
    if (group.a.size() != group.b.size()) return false;
    open_.push_back(std::move(group));
  }
  return true;
}

// What is named after the process.
bool ExchangeGuesser::Guess::locals(const Process& a, const Process& b) {
  const auto each = [&](Map map, const auto& all) {
    std::unordered_map<std::string_view, uint32_t> of_b;
    const auto rest = [](std::string_view name, const Process& p) {
      const bool is_local = name.size() > p.name.size() && name.starts_with(p.name) && name[p.name.size()] == '.';
      return is_local ? name.substr(p.name.size()) : std::string_view();
    };
    for (uint32_t i = 0; i < all.size(); ++i) {
      if (const auto name = rest(all[i].name, b); !name.empty()) of_b.emplace(name, i);
    }
    for (uint32_t i = 0; i < all.size(); ++i) {
      const auto name = rest(all[i].name, a);
      if (name.empty()) continue;
      const auto other = of_b.find(name);
      if (other != of_b.end() && !pair(map, i, other->second)) return false;
    }
    return true;
  };
  return each(Variables, system_.variables) && each(Clocks, system_.clocks);
}

bool ExchangeGuesser::Guess::commit(OpenEdges& open, size_t a, size_t b) {
  const bool fits = compare(system_.edge(open.a[a]), system_.edge(open.b[b]));
  open.a.erase(open.a.begin() + static_cast<ptrdiff_t>(a));
  open.b.erase(open.b.begin() + static_cast<ptrdiff_t>(b));
  return fits;
}

// How many assumptions it takes that an edge corresponds to another one; none: it cannot.
std::optional<size_t> ExchangeGuesser::Guess::asks(EdgeId a, EdgeId b) {
  const size_t before = trail_.size();
  const bool fits = compare(system_.edge(a), system_.edge(b));
  const size_t assumed = trail_.size() - before;
  take_back(before);
  return fits ? std::optional(assumed) : std::nullopt;
}

// The edge that an edge of a group can correspond to with the fewest assumptions; whether it is the only one. An edge
// that can stay is left alone for now.
ExchangeGuesser::Guess::Choice ExchangeGuesser::Guess::choose(size_t group, size_t a) {
  const OpenEdges& open = open_[group];
  Choice out{group, a};
  const auto look_at = [&](size_t b) {
    const auto assumed = asks(open.a[a], open.b[b]);
    if (!assumed) return;
    ++out.fitting;
    if (*assumed < out.asks) {
      out.asks = *assumed;
      out.b = b;
    }
  };
  const auto own = std::find(open.b.begin(), open.b.end(), open.a[a]);
  if (own != open.b.end()) look_at(static_cast<size_t>(own - open.b.begin()));
  out.stays = out.fitting != 0;
  if (out.stays) return out;
  if (open.b.size() > kMostOpenEdges) {
    look_at(a);
    return out;
  }
  // One that asks for nothing will do; it is often near.
  for (size_t i = 0; i < open.b.size() && out.asks != 0; ++i) look_at((a + i) % open.b.size());
  return out;
}

// Edges that can correspond to one only; if there are none, those that can stay, or the one that asks for least.
bool ExchangeGuesser::Guess::match_edges(bool& progress) {
  Choice best;
  std::vector<EdgeId> staying;
  for (size_t g = 0; g < open_.size(); ++g) {
    for (size_t a = 0; a < open_[g].a.size();) {
      of_.watch_.poll();
      const Choice here = choose(g, a);
      if (here.fitting == 0) return false;
      if (!here.stays && here.asks < best.asks) best = here;
      if (here.stays && here.asks != 0) staying.push_back(open_[g].a[a]);
      if ((here.fitting > 1 || here.stays) && here.asks != 0) {
        ++a;
        continue;
      }
      progress = true;
      if (!commit(open_[g], a, here.b)) return false;
    }
  }
  if (!progress && best.fitting != 0) {
    progress = true;
    if (!commit(open_[best.group], best.a, best.b)) return false;
  }
  if (!progress) {
    for (const EdgeId e : staying) {
      if (!asks(e, e)) continue;
      progress = true;
      compare(system_.edge(e), system_.edge(e));
    }
  }
  std::erase_if(open_, [](const OpenEdges& o) { return o.a.empty(); });
  return true;
}

// What is exchanged because of what has been since the last time.
bool ExchangeGuesser::Guess::follow_up() {
  while (followed_ < trail_.size()) {
    of_.watch_.poll();
    for (; followed_ < trail_.size(); ++followed_) {
      const Trail t = trail_[followed_];
      if (t.map != Names && t.a != t.b && !users(t.map, t.a, t.b)) return false;
    }
    for (const Access& access : of_.accesses_) {
      if (!follow(access)) return false;
    }
    for (const auto& family : of_.families_) {
      if (!complete(family)) return false;
    }
    if (followed_ == trail_.size() && !servers()) return false;
  }
  return true;
}

bool ExchangeGuesser::Guess::follow(const Access& access) {
  const auto moves = [&](const Access::Term& t) {
    const auto& names = names_[t.kind];
    return std::any_of(names.begin(), names.end(), [](const auto& n) { return n.first != n.second; });
  };
  const auto image = [&](uint32_t kind, int64_t value) -> int64_t {
    for (const auto& [a, b] : names_[kind]) {
      if (value == a) return b;
      if (value == b) return a;
    }
    return value;
  };
  if (std::any_of(access.terms.begin(), access.terms.end(), moves)) {
    int64_t places = 1;
    for (const Access::Term& t : access.terms) places *= t.hi - t.lo + 1;
    for (int64_t place = 0; place < places; ++place) {
      int64_t here = access.constant;
      int64_t there = here;
      int64_t rest = place;
      for (const Access::Term& t : access.terms) {
        const int64_t value = t.lo + rest % (t.hi - t.lo + 1);
        rest /= t.hi - t.lo + 1;
        here += t.factor * value;
        there += t.factor * image(t.kind, value);
      }
      if (here < 0 || here >= access.count || there < 0 || there >= access.count) continue;
      if (here != there &&
          !pair(Variables, access.first + static_cast<uint32_t>(here), access.first + static_cast<uint32_t>(there))) {
        return false;
      }
    }
    return true;
  }
  if (access.terms.size() != 1) return true;
  const Access::Term& t = access.terms[0];
  for (int64_t value = t.lo; value <= t.hi; ++value) {
    const int64_t here = access.constant + t.factor * value;
    if (here < 0 || here >= access.count) continue;
    const uint32_t to = maps_[Variables][access.first + static_cast<uint32_t>(here)];
    if (to == kOpen || to < access.first || to >= access.first + access.count) continue;
    const int64_t by = int64_t{to} - access.first - access.constant;
    if (by % t.factor != 0) return false;
    if (!pair_names(t.kind, static_cast<int32_t>(value), static_cast<int32_t>(by / t.factor))) return false;
  }
  return true;
}

// If m[1][1] and m[2][2] are exchanged, so are m[1][3] and m[2][3], and m[1][2] and m[2][1].
bool ExchangeGuesser::Guess::complete(const std::vector<uint32_t>& family) {
  const std::vector<uint32_t>& to = maps_[Variables];
  std::vector<bool> changes(of_.numbered_[family[0]].numbers.size());
  std::optional<std::pair<uint32_t, uint32_t>> swapped;
  bool open = false;
  for (const uint32_t v : family) {
    open = open || to[v] == kOpen;
    if (to[v] == kOpen || to[v] <= v) continue;
    const Numbered& a = of_.numbered_[v];
    const Numbered& b = of_.numbered_[to[v]];
    if (a.family != b.family) return true;
    for (size_t i = 0; i < changes.size(); ++i) {
      if (a.numbers[i] == b.numbers[i]) continue;
      const auto both = std::minmax(a.numbers[i], b.numbers[i]);
      if (swapped && *swapped != std::pair<uint32_t, uint32_t>(both)) return true;
      swapped = both;
      changes[i] = true;
    }
  }
  for (size_t k = 0; open && swapped && k < family.size(); ++k) {
    if (to[family[k]] != kOpen) continue;
    Numbered image = of_.numbered_[family[k]];
    for (size_t i = 0; i < changes.size(); ++i) {
      uint32_t& n = image.numbers[i];
      if (changes[i] && (n == swapped->first || n == swapped->second)) n = swapped->first + swapped->second - n;
    }
    const auto other = of_.by_number_.find(image);
    if (other != of_.by_number_.end() && other->second != family[k] && !pair(Variables, family[k], other->second)) {
      return false;
    }
  }
  return true;
}

// Where nothing else is known of an array that the process uses, the numbers in it may be those of the processes.
// Whether there is such a thing.
bool ExchangeGuesser::Guess::number_by(uint32_t process, uint32_t other) {
  const auto location = [&](uint32_t p) { return of_.numbered_[system_.processes[p].location.value]; };
  const Numbered a = location(process);
  const Numbered b = location(other);
  const auto differs = std::mismatch(a.numbers.begin(), a.numbers.end(), b.numbers.begin(), b.numbers.end());
  if (a.family != b.family || differs.first == a.numbers.end()) return false;
  const uint32_t from = *differs.first;
  const uint32_t to = *differs.second;
  for (const auto& family : of_.families_) {
    const auto is_open = [&](uint32_t v) { return maps_[Variables][v] == kOpen; };
    const auto is_used = [&](uint32_t v) { return contains(of_.uses_[process], v); };
    if (!std::all_of(family.begin(), family.end(), is_open) || std::none_of(family.begin(), family.end(), is_used))
      continue;
    for (const uint32_t v : family) {
      Numbered image = of_.numbered_[v];
      for (uint32_t& n : image.numbers) n = n == from ? to : n == to ? from : n;
      const auto found = of_.by_number_.find(image);
      if (found != of_.by_number_.end() && !pair(Variables, v, found->second)) return false;
    }
  }
  return followed_ != trail_.size();
}

// The processes that use one of these alone correspond to those that use the other one alone.
bool ExchangeGuesser::Guess::users(Map map, uint32_t a, uint32_t b) {
  if (map != Variables && map != Channels) return true;
  const auto& uses = map == Variables ? of_.uses_ : of_.synchronises_;
  std::vector<uint32_t> of_a;
  std::vector<uint32_t> of_b;
  for (uint32_t p = 0; p < uses.size(); ++p) {
    if (maps_[Processes][p] != kOpen) continue;
    const bool uses_a = contains(uses[p], a);
    if (uses_a == contains(uses[p], b)) continue;
    (uses_a ? of_a : of_b).push_back(p);
  }
  if (of_a.size() != of_b.size()) return false;
  for (size_t i = 0; i < of_a.size(); ++i) {
    if (!processes(of_a[i], of_b[i])) return false;
  }
  return true;
}

// What is left of those that use something which is exchanged stays, but its edges may correspond to others of it.
bool ExchangeGuesser::Guess::servers() {
  for (uint32_t p = 0; p < of_.uses_.size(); ++p) {
    if (maps_[Processes][p] != kOpen) continue;
    const auto moved = [&](Map map, const std::vector<uint32_t>& used) {
      return std::any_of(used.begin(), used.end(),
                         [&](uint32_t i) { return maps_[map][i] != kOpen && maps_[map][i] != i; });
    };
    if (!moved(Variables, of_.uses_[p]) && !moved(Channels, of_.synchronises_[p])) continue;
    if (!processes(p, p)) return false;
  }
  return true;
}

bool ExchangeGuesser::Guess::compare(const Edge& a, const Edge& b) {
  const uint32_t outside = classes_.outside();
  if (a.channel.valid() != b.channel.valid() || a.guard.size() != b.guard.size() ||
      a.clock_guard.size() != b.clock_guard.size() || a.effect.size() != b.effect.size()) {
    return false;
  }
  if (a.channel.valid() && !pair(Channels, a.channel.value, b.channel.value)) return false;
  if (!compare_lists(a.guard, b.guard, outside, outside)) return false;
  for (size_t i = 0; i < a.clock_guard.size(); ++i) {
    if (!compare(a.clock_guard[i], b.clock_guard[i])) return false;
  }
  for (size_t i = 0; i < a.effect.size(); ++i) {
    if (!compare(a.effect[i], b.effect[i], outside, outside)) return false;
  }
  return true;
}

bool ExchangeGuesser::Guess::compare(const ClockConstraint& a, const ClockConstraint& b) {
  const uint32_t outside = classes_.outside();
  return pair(Clocks, a.left.value, b.left.value) && pair(Clocks, a.right.value, b.right.value) &&
         compare(a.condition, b.condition, ValueClasses::kComputed, outside, outside) &&
         compare(a.bound, b.bound, ValueClasses::kComputed, outside, outside);
}

void ExchangeGuesser::Guess::add_operands(Op op, ExprId id, std::vector<ExprId>& out) const {
  const Expr& e = system_.expr(id);
  if (e.op != op) {
    out.push_back(id);
    return;
  }
  add_operands(op, e.a, out);
  add_operands(op, e.b, out);
}

// What is said in both says nothing. Of the rest, what can correspond to one operand only is compared.
bool ExchangeGuesser::Guess::compare_lists(std::vector<ExprId> a, std::vector<ExprId> b, uint32_t frame_a,
                                           uint32_t frame_b) {
  const auto flatten = [&](std::vector<ExprId>& list) {
    if (list.size() != 1) return;
    const ExprId whole = list[0];
    const Op op = system_.expr(whole).op;
    if (!is_list(op)) return;
    list.clear();
    add_operands(op, whole, list);
  };
  flatten(a);
  flatten(b);
  if (a.size() != b.size()) return false;
  const auto part = [&](ExprId x, ExprId y) { return compare(x, y, ValueClasses::kComputed, frame_a, frame_b); };
  if (a.size() == 1) return part(a[0], b[0]);
  for (const Shapes::Detail detail : {Shapes::All, Shapes::Variables, Shapes::Bare}) {
    Shapes shapes(system_, detail);
    std::map<uint64_t, std::pair<std::vector<ExprId>, std::vector<ExprId>>> alike;
    for (const ExprId e : a) alike[shapes.of(e)].first.push_back(e);
    for (const ExprId e : b) alike[shapes.of(e)].second.push_back(e);
    for (const auto& entry : alike) {
      const uint64_t shape = entry.first;
      const auto& both = entry.second;
      if (detail == Shapes::Bare && both.first.size() != both.second.size()) return false;
      const bool same_text = detail == Shapes::All && both.first.size() == both.second.size();
      if (!same_text && (both.first.size() != 1 || both.second.size() != 1)) continue;
      if (!same_text && !part(both.first[0], both.second[0])) return false;
      std::erase_if(a, [&](ExprId e) { return shapes.of(e) == shape; });
      std::erase_if(b, [&](ExprId e) { return shapes.of(e) == shape; });
    }
  }
  return true;
}

bool ExchangeGuesser::Guess::compare_block(uint32_t first_a, uint32_t first_b, uint32_t count) {
  for (uint32_t i = 0; first_a != first_b && i < count; ++i) {
    if (!pair(Variables, first_a + i, first_b + i)) return false;
  }
  return true;
}

bool ExchangeGuesser::Guess::compare(StmtId id_a, StmtId id_b, uint32_t frame_a, uint32_t frame_b) {
  if (!id_a.valid() || !id_b.valid()) return id_a.valid() == id_b.valid();
  const Stmt& a = system_.stmt(id_a);
  const Stmt& b = system_.stmt(id_b);
  if (a.kind != b.kind || a.count != b.count) return false;
  if (a.kind == StmtKind::Reset && !a.offset.valid() && !pair(Clocks, a.clock.value, b.clock.value)) return false;
  if (a.kind == StmtKind::Block) {
    const auto of_a = system_.block(a);
    const auto of_b = system_.block(b);
    for (size_t i = 0; i < of_a.size(); ++i) {
      if (!compare(of_a[i], of_b[i], frame_a, frame_b)) return false;
    }
  }
  const uint32_t kind = a.kind == StmtKind::Return ? classes_.of_result(frame_a) : ValueClasses::kComputed;
  return compare(a.expr, b.expr, kind, frame_a, frame_b) && compare(a.offset, b.offset, kind, frame_a, frame_b) &&
         compare(a.a, b.a, frame_a, frame_b) && compare(a.b, b.b, frame_a, frame_b);
}

bool ExchangeGuesser::Guess::compare(ExprId id_a, ExprId id_b, uint32_t kind, uint32_t frame_a, uint32_t frame_b) {
  if (!id_a.valid() || !id_b.valid()) return id_a.valid() == id_b.valid();
  const Expr& a = system_.expr(id_a);
  const Expr& b = system_.expr(id_b);
  if (a.op != b.op || a.count != b.count) return false;
  const auto value_kind = [&](uint32_t of_place) { return of_place < ValueClasses::kAny ? of_place : kind; };
  const auto part = [&](ExprId x, ExprId y, uint32_t k) { return compare(x, y, k, frame_a, frame_b); };
  switch (kind_of(a.op)) {
    case OpKind::Const: return pair_names(kind, a.value, b.value);
    case OpKind::Var: return pair(Variables, a.base, b.base);
    case OpKind::Load:
      if (const auto paired = pair_elements(a, b)) return *paired;
      return compare_block(a.base, b.base, a.count) && part(a.a, b.a, classes_.of(a.a, frame_a));
    case OpKind::Local: return a.base == b.base;
    case OpKind::LoadLocal: return a.base == b.base && part(a.a, b.a, classes_.of(a.a, frame_a));
    case OpKind::Comparison: {
      uint32_t of_operands = classes_.of(a.a, frame_a);
      if (of_operands >= ValueClasses::kAny) of_operands = classes_.of(a.b, frame_a);
      return part(a.a, b.a, of_operands) && part(a.b, b.b, of_operands);
    }
    case OpKind::Call: {
      const auto of_a = system_.call_arguments(a);
      const auto of_b = system_.call_arguments(b);
      for (uint32_t i = 0; i < of_a.size(); ++i) {
        if (!part(of_a[i], of_b[i], classes_.of_slot(a.base, i))) return false;
      }
      return a.base == b.base ||
             compare(system_.functions[a.base].body, system_.functions[b.base].body, a.base, b.base);
    }
    case OpKind::Store:
      if (const auto paired = pair_elements(a, b)) return *paired && part(a.b, b.b, classes_.of(VarId(a.base)));
      if (a.a.valid() ? !compare_block(a.base, b.base, a.count) : !pair(Variables, a.base, b.base)) return false;
      return part(a.a, b.a, a.a.valid() ? classes_.of(a.a, frame_a) : kind) &&
             part(a.b, b.b, classes_.of(VarId(a.base)));
    case OpKind::StoreLocal:
      return a.base == b.base && part(a.a, b.a, a.a.valid() ? classes_.of(a.a, frame_a) : kind) &&
             part(a.b, b.b, classes_.of_slot(frame_a, a.base));
    case OpKind::Comma: return part(a.a, b.a, classes_.of(a.a, frame_a)) && part(a.b, b.b, kind);
    case OpKind::Ite:
      return part(a.a, b.a, ValueClasses::kComputed) && part(a.b, b.b, value_kind(kind)) &&
             part(a.c, b.c, value_kind(kind));
    case OpKind::Index:
    case OpKind::InRange: return part(a.a, b.a, kind);
    case OpKind::Unary:
    case OpKind::Arithmetic:
    case OpKind::Connective:
    case OpKind::Quantifier:
    case OpKind::Fail:
      if (is_list(a.op)) return compare_lists({id_a}, {id_b}, frame_a, frame_b);
      return part(a.a, b.a, ValueClasses::kComputed) && part(a.b, b.b, ValueClasses::kComputed) &&
             part(a.c, b.c, ValueClasses::kComputed);
  }
  return false;
}

Exchange ExchangeGuesser::Guess::result() const {
  Exchange out(system_, of_.property_, classes_);
  std::vector<uint32_t>* lists[] = {&out.variables, &out.clocks, &out.channels, &out.processes};
  for (int map = 0; map < 4; ++map) {
    for (uint32_t i = 0; i < maps_[map].size(); ++i) {
      if (maps_[map][i] != kOpen) (*lists[map])[i] = maps_[map][i];
    }
  }
  for (uint32_t kind = 0; kind < names_.size(); ++kind) {
    for (const auto& [a, b] : names_[kind]) {
      if (a != b) out.names[kind].emplace_back(std::min(a, b), std::max(a, b));
    }
  }
  if (system_.control.valid()) {
    auto& of_control = out.names[classes_.of(system_.control)];
    for (uint32_t p = 0; p < out.processes.size(); ++p) {
      if (p < out.processes[p])
        of_control.emplace_back(static_cast<int32_t>(p) + 1, static_cast<int32_t>(out.processes[p]) + 1);
    }
  }
  for (auto& names : out.names) {
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
  }
  return out;
}

ExchangeGuesser::ExchangeGuesser(const System& system, const Property& property, const ValueClasses& classes,
                                 const Watch& watch)
    : system_(system), property_(property), classes_(classes), watch_(watch) {
  read_names();
  find_accesses();
  find_uses();
  Shapes shapes(system);
  for (const Edge& e : system.edges) shape_.push_back(shapes.of(e));
}

ExchangeGuesser::~ExchangeGuesser() = default;

void ExchangeGuesser::read_names() {
  std::unordered_map<std::string, uint32_t> families;
  for (uint32_t v = 0; v < system_.variables.size(); ++v) {
    std::string family;
    Numbered numbered;
    bool in_number = false;
    for (const char c : system_.variables[v].name) {
      const bool digit = c >= '0' && c <= '9';
      if (!digit) {
        family += c;
      } else if (in_number) {
        numbered.numbers.back() = numbered.numbers.back() * 10 + static_cast<uint32_t>(c - '0');
      } else {
        family += '#';
        numbered.numbers.push_back(static_cast<uint32_t>(c - '0'));
      }
      in_number = digit;
    }
    numbered.family = families.emplace(family, families.size()).first->second;
    families_.resize(families.size());
    if (!numbered.numbers.empty()) families_[numbered.family].push_back(v);
    by_number_.emplace(numbered, v);
    numbered_.push_back(std::move(numbered));
  }
  std::erase_if(families_, [](const auto& family) { return family.size() < 2; });
}

bool ExchangeGuesser::read_index(ExprId id, uint32_t frame, int64_t factor, Access& access) const {
  const Expr& e = system_.expr(id);
  if (std::abs(factor) > INT32_MAX) return false;
  if (e.op == Op::Const) {
    access.constant += factor * e.value;
    return true;
  }
  if (e.op == Op::Index || e.op == Op::InRange) {
    Access inside;
    if (!read_index(e.a, frame, 1, inside) || inside.terms.size() != 1) return false;
    Access::Term t = inside.terms[0];
    if (e.op == Op::Index && std::abs(t.factor) == 1 && t.factor == 1) {
      t.lo = std::max<int64_t>(t.lo, -inside.constant);
      t.hi = std::min<int64_t>(t.hi, int64_t{e.count} - 1 - inside.constant);
    }
    t.factor *= factor;
    access.constant += factor * inside.constant;
    access.terms.push_back(t);
    return true;
  }
  if (e.op == Op::Add) return read_index(e.a, frame, factor, access) && read_index(e.b, frame, factor, access);
  if (e.op == Op::Sub) return read_index(e.a, frame, factor, access) && read_index(e.b, frame, -factor, access);
  if (e.op == Op::Mul) {
    if (const auto by = system_.constant(e.a)) return read_index(e.b, frame, factor * *by, access);
    if (const auto by = system_.constant(e.b)) return read_index(e.a, frame, factor * *by, access);
  }
  const Interval range = range_of(system_, id);
  const uint32_t kind = classes_.of(id, frame);
  if (kind >= ValueClasses::kAny || factor == 0) return false;
  access.terms.push_back({factor, kind, range.lo, range.hi});
  return true;
}

// Loads and stores are in a pool, whose entries do not say which function they belong to: locals are left out.
void ExchangeGuesser::find_accesses() {
  const auto is_local = [&](const auto& self, ExprId id) -> bool {
    if (!id.valid()) return false;
    const Expr& e = system_.expr(id);
    return e.op == Op::Local || e.op == Op::LoadLocal || self(self, e.a) || self(self, e.b) || self(self, e.c);
  };
  for (size_t i = 0; i < system_.exprs.size(); ++i) {
    const Expr& e = system_.exprs[i];
    if ((e.op != Op::Load && e.op != Op::Store) || !e.a.valid() || is_local(is_local, e.a)) continue;
    watch_.poll();
    Access access{.first = e.base, .count = e.count};
    if (!read_index(e.a, classes_.outside(), 1, access) || access.terms.empty()) continue;
    int64_t places = 1;
    for (Access::Term& t : access.terms) {
      if (access.terms.size() == 1 && std::abs(t.factor) == 1) {
        const int64_t x = -access.constant * t.factor;
        const int64_t y = (int64_t{e.count} - 1 - access.constant) * t.factor;
        t.lo = std::max(t.lo, std::min(x, y));
        t.hi = std::min(t.hi, std::max(x, y));
      }
      places *= std::clamp<int64_t>(t.hi - t.lo + 1, 0, kMostElements + 1);
      places = std::min(places, kMostElements + 1);
    }
    const auto names = [&](const Access::Term& t) { return classes_.are_names(t.kind); };
    if (places == 0 || places > kMostElements || std::none_of(access.terms.begin(), access.terms.end(), names))
      continue;
    accesses_.push_back(std::move(access));
  }
}

void ExchangeGuesser::find_uses() {
  Accesses accesses(system_, watch_);
  uses_.resize(system_.processes.size());
  synchronises_.resize(system_.processes.size());
  for (const Edge& e : system_.edges) {
    const model::Access access = accesses.of(e);
    std::vector<uint32_t>& uses = uses_[e.process.value];
    for (const VarId v : access.reads) uses.push_back(v.value);
    for (const VarId v : access.writes) uses.push_back(v.value);
    if (e.channel.valid()) synchronises_[e.process.value].push_back(e.channel.value);
  }
  for (auto* lists : {&uses_, &synchronises_}) {
    for (auto& list : *lists) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  }
}

std::optional<Exchange> ExchangeGuesser::guess(ProcessId a, ProcessId b) const {
  Guess guess(*this);
  if (!guess.make(a, b)) return std::nullopt;
  return guess.result();
}

}  // namespace harrier::model
