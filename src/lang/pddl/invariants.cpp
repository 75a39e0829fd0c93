#include "lang/pddl/invariants.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "base/hash.h"

namespace harrier::pddl {

namespace {

constexpr size_t kMostCandidates = 20'000;
constexpr uint64_t kMostWork = 300'000'000;  // literals looked at
constexpr uint64_t kWorkOfAtom = 10;         // to find its instance is as much as so many of them
constexpr size_t kMostArguments = 30;

// Atoms of a predicate, among whose arguments the parameters of the candidate are. The others are counted over: any
// objects.
struct Part {
  uint32_t predicate = 0;
  std::vector<uint32_t> places;  // of each parameter, among the arguments
  auto operator<=>(const Part&) const = default;
};

// Sorted by predicate, each of which occurs once; the parameters are in the order in which the first part has them.
//
//     { at(#0, ?), in(#0, ?) }     of each truck or parcel: where it is
//
// For each list of objects for the parameters there is an instance, the atoms that fit.
using Candidate = std::vector<Part>;

void make_canonical(Candidate& candidate) {
  std::sort(candidate.begin(), candidate.end());
  const std::vector<uint32_t> first = candidate.front().places;
  std::vector<uint32_t> order(first.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return first[a] < first[b]; });
  for (Part& part : candidate) {
    const std::vector<uint32_t> before = part.places;
    for (size_t i = 0; i < order.size(); ++i) part.places[i] = before[order[i]];
  }
}

struct HashObjects {
  size_t operator()(const std::vector<uint32_t>& objects) const {
    uint64_t hash = 0;
    for (const uint32_t object : objects) hash = mix64(hash ^ (object + 1));
    return hash;
  }
};

class Synthesis {
 public:
  Synthesis(const GroundTask& ground, const Watch& watch)
      : ground_(ground), watch_(watch), instance_(ground.atoms.size(), kNone) {}

  std::vector<std::vector<uint32_t>> run() {
    list_atoms();
    list_adders();
    for (const auto& [predicate, atoms] : atoms_) start(predicate);
    for (size_t next = 0; next < open_.size() && next < kMostCandidates && work_ < kMostWork; ++next) {
      watch_.poll();
      check(Candidate(open_[next]));
    }
    return {groups_.begin(), groups_.end()};
  }

 private:
  struct Adder {
    uint32_t op = 0;
    uint32_t effect = 0;
  };
  // What an effect that adds an atom does to the instance of the atom.
  enum class Balance : uint8_t { Kept, Unbalanced, TooHeavy };
  // Which atoms of an instance must hold where an effect takes place.
  struct Needed {
    uint32_t atom = kNone;
    bool several = false;
  };

  void list_atoms();
  void list_adders();
  void start(uint32_t predicate);
  void suggest(Candidate candidate);

  void check(const Candidate& candidate);
  void instantiate(const Candidate& candidate);
  void count_initial();
  void keep_groups();

  Balance balance(const GroundOperator& op, const GroundEffect& add);
  Needed needed(const GroundOperator& op, const GroundEffect& effect, uint32_t instance);
  bool is_deleted(const GroundOperator& op, const GroundEffect& add, uint32_t atom);
  bool can_be_at_once(const GroundOperator& op, const GroundEffect& a, const GroundEffect& b);
  static bool holds(const GroundOperator& op, const GroundEffect& effect, Literal literal);
  bool implied(const GroundOperator& op, const GroundEffect& by, const GroundEffect& effect);

  void refine(const Candidate& candidate, const GroundOperator& op, const GroundEffect& add);
  void extend(const Candidate& candidate, uint32_t atom, std::vector<uint32_t>& places);

  const GroundTask& ground_;
  const Watch& watch_;
  std::map<uint32_t, std::vector<uint32_t>> atoms_;  // by predicate
  std::map<uint32_t, std::vector<Adder>> adders_;    // by predicate
  std::vector<Candidate> open_;                      // those that were looked at, too
  std::set<Candidate> known_;
  std::set<std::vector<uint32_t>> groups_;
  uint64_t work_ = 0;

  // Of the candidate at hand.
  std::vector<uint32_t> instance_;              // by atom
  std::vector<std::vector<uint32_t>> members_;  // of each instance
  std::vector<std::vector<uint32_t>> objects_;  // of each instance
  std::vector<bool> broken_;                    // by instance: more than one atom of it may hold
};

void Synthesis::list_atoms() {
  for (uint32_t a = 0; a < ground_.atoms.size(); ++a) {
    const GroundAtom& atom = ground_.atoms[a];
    if (!atom.derived && atom.predicate != kNone) atoms_[atom.predicate].push_back(a);
  }
}

void Synthesis::list_adders() {
  for (uint32_t o = 0; o < ground_.operators.size(); ++o) {
    watch_.poll();
    const auto& effects = ground_.operators[o].effects;
    for (uint32_t e = 0; e < effects.size(); ++e) {
      if (effects[e].adds) adders_[ground_.atoms[effects[e].atom].predicate].push_back({o, e});
    }
  }
}

// All atoms of a predicate with the same arguments, or with the same ones but at one place.
void Synthesis::start(uint32_t predicate) {
  const auto arity = static_cast<uint32_t>(ground_.atoms[atoms_[predicate].front()].arguments.size());
  if (arity > kMostArguments) return;
  for (uint32_t counted = 0; counted <= arity; ++counted) {
    Part part{predicate, {}};
    for (uint32_t i = 0; i < arity; ++i) {
      if (i != counted) part.places.push_back(i);
    }
    suggest({part});
  }
}

void Synthesis::suggest(Candidate candidate) {
  make_canonical(candidate);
  if (known_.insert(candidate).second) open_.push_back(std::move(candidate));
}

// Instances are checked on their own: what breaks one says nothing about the others. The first effect found to be
// without balance says what the candidate lacks.
void Synthesis::check(const Candidate& candidate) {
  instantiate(candidate);
  count_initial();
  auto left = static_cast<size_t>(std::count(broken_.begin(), broken_.end(), false));
  bool refined = false;
  for (const Part& part : candidate) {
    for (const Adder adder : adders_[part.predicate]) {
      watch_.poll();
      if (left == 0 || work_ > kMostWork) break;
      const GroundOperator& op = ground_.operators[adder.op];
      const GroundEffect& add = op.effects[adder.effect];
      const uint32_t instance = instance_[add.atom];
      if (instance == kNone || broken_[instance]) continue;
      const Balance found = balance(op, add);
      if (found == Balance::Kept) continue;
      if (found == Balance::Unbalanced && !refined) {
        refine(candidate, op, add);
        refined = true;
      }
      broken_[instance] = true;
      --left;
    }
  }
  if (work_ <= kMostWork) keep_groups();
  for (const Part& part : candidate) {
    for (const uint32_t atom : atoms_[part.predicate]) instance_[atom] = kNone;
  }
}

void Synthesis::instantiate(const Candidate& candidate) {
  std::unordered_map<std::vector<uint32_t>, uint32_t, HashObjects> numbers;
  members_.clear();
  objects_.clear();
  std::vector<uint32_t> objects;
  for (const Part& part : candidate) {
    for (const uint32_t atom : atoms_[part.predicate]) {
      objects.clear();
      for (const uint32_t place : part.places) objects.push_back(ground_.atoms[atom].arguments[place]);
      const auto [at, fresh] = numbers.try_emplace(objects, static_cast<uint32_t>(members_.size()));
      if (fresh) {
        members_.emplace_back();
        objects_.push_back(objects);
      }
      members_[at->second].push_back(atom);
      instance_[atom] = at->second;
    }
    work_ += kWorkOfAtom * atoms_[part.predicate].size();
  }
}

void Synthesis::count_initial() {
  broken_.assign(members_.size(), false);
  for (size_t i = 0; i < members_.size(); ++i) {
    const auto holds = [&](uint32_t atom) { return ground_.atoms[atom].initial; };
    broken_[i] = std::count_if(members_[i].begin(), members_[i].end(), holds) > 1;
  }
}

void Synthesis::keep_groups() {
  for (size_t i = 0; i < members_.size(); ++i) {
    if (broken_[i] || members_[i].size() < 2) continue;
    std::sort(members_[i].begin(), members_[i].end());
    groups_.insert(std::move(members_[i]));
  }
}

// Where at most one atom of the instance holds before the operator, at most one shall hold after it. An effect may add
// one if another that must hold then is deleted, or if it is the one that must hold.
Synthesis::Balance Synthesis::balance(const GroundOperator& op, const GroundEffect& add) {
  const uint32_t instance = instance_[add.atom];
  const Needed before = needed(op, add, instance);
  work_ += op.effects.size();
  if (before.several) return Balance::Kept;  // it never takes place
  for (const GroundEffect& other : op.effects) {
    if (!other.adds || other.atom == add.atom || instance_[other.atom] != instance) continue;
    if (can_be_at_once(op, add, other)) return Balance::TooHeavy;
  }
  if (before.atom == kNone) return Balance::Unbalanced;
  return before.atom == add.atom || is_deleted(op, add, before.atom) ? Balance::Kept : Balance::Unbalanced;
}

Synthesis::Needed Synthesis::needed(const GroundOperator& op, const GroundEffect& effect, uint32_t instance) {
  Needed out;
  for (const auto* const literals : {&op.preconditions, &effect.conditions}) {
    work_ += literals->size();
    for (const Literal literal : *literals) {
      if (!literal.positive || instance_[literal.atom] != instance || literal.atom == out.atom) continue;
      out.several = out.several || out.atom != kNone;
      out.atom = literal.atom;
    }
  }
  return out;
}

bool Synthesis::holds(const GroundOperator& op, const GroundEffect& effect, Literal literal) {
  return std::binary_search(op.preconditions.begin(), op.preconditions.end(), literal) ||
         std::binary_search(effect.conditions.begin(), effect.conditions.end(), literal);
}

// Whether an effect takes place wherever another one does.
bool Synthesis::implied(const GroundOperator& op, const GroundEffect& by, const GroundEffect& effect) {
  work_ += effect.conditions.size();
  return std::all_of(effect.conditions.begin(), effect.conditions.end(),
                     [&](Literal literal) { return holds(op, by, literal); });
}

// An atom that is added as well stays.
bool Synthesis::is_deleted(const GroundOperator& op, const GroundEffect& add, uint32_t atom) {
  work_ += op.effects.size();
  bool deleted = false;
  for (const GroundEffect& other : op.effects) {
    if (other.atom != atom) continue;
    if (other.adds) {
      if (can_be_at_once(op, add, other)) return false;
      continue;
    }
    deleted = deleted || implied(op, add, other);
  }
  return deleted;
}

// Of two effects that add atoms of one instance.
bool Synthesis::can_be_at_once(const GroundOperator& op, const GroundEffect& a, const GroundEffect& b) {
  const Needed of_a = needed(op, a, instance_[a.atom]);
  const Needed of_b = needed(op, b, instance_[a.atom]);
  if (of_a.several || of_b.several) return false;
  if (of_a.atom != kNone && of_b.atom != kNone && of_a.atom != of_b.atom) return false;
  return std::none_of(a.conditions.begin(), a.conditions.end(), [&](Literal literal) {
    return std::binary_search(b.conditions.begin(), b.conditions.end(), Literal{literal.atom, !literal.positive});
  });
}

// An atom that must hold and is deleted where the effect takes place would give it balance.
void Synthesis::refine(const Candidate& candidate, const GroundOperator& op, const GroundEffect& add) {
  std::vector<uint32_t> places;
  for (const GroundEffect& other : op.effects) {
    if (other.adds || other.atom == add.atom || ground_.atoms[other.atom].arguments.size() > kMostArguments) continue;
    const uint32_t predicate = ground_.atoms[other.atom].predicate;
    const auto is_part = [&](const Part& part) { return part.predicate == predicate; };
    if (std::any_of(candidate.begin(), candidate.end(), is_part)) continue;
    if (!holds(op, add, {other.atom, true}) || !is_deleted(op, add, other.atom)) continue;
    instance_[other.atom] = instance_[add.atom];
    places.clear();
    extend(candidate, other.atom, places);
    instance_[other.atom] = kNone;
  }
}

// All ways to find the objects of the instance among the arguments of an atom.
void Synthesis::extend(const Candidate& candidate, uint32_t atom, std::vector<uint32_t>& places) {
  const std::vector<uint32_t>& objects = objects_[instance_[atom]];
  const std::vector<uint32_t>& arguments = ground_.atoms[atom].arguments;
  if (arguments.size() < objects.size()) return;
  if (places.size() == objects.size()) {
    if (open_.size() >= kMostCandidates) return;
    Candidate larger = candidate;
    larger.push_back({ground_.atoms[atom].predicate, places});
    suggest(std::move(larger));
    return;
  }
  for (uint32_t i = 0; i < arguments.size(); ++i) {
    const bool taken = std::find(places.begin(), places.end(), i) != places.end();
    if (taken || arguments[i] != objects[places.size()]) continue;
    places.push_back(i);
    extend(candidate, atom, places);
    places.pop_back();
  }
}

}  // namespace

std::vector<std::vector<uint32_t>> mutex_groups(const GroundTask& ground, const Watch& watch) {
  return Synthesis(ground, watch).run();
}

}  // namespace harrier::pddl
