// The layer over BuDDy (Lind-Nielsen 2002): the only file that knows it.
//
// A failure inside one of its operations is met in its hooks, from which the operation is left by a long jump, as BuDDy
// itself does when it reorders: the frames in between are C, or have nothing to destroy. Hooks are called where its
// tables are in order, and the next operation begins with an empty stack of references.
#include "symbolic/bdd.h"

#include <bdd.h>
// Its interface for C++ hides the plain functions behind macros.
#undef bdd_init
#undef bdd_ithvar

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csetjmp>
#include <functional>
#include <limits>
#include <optional>
#include <thread>
#include <unordered_map>

#include "base/error.h"

namespace harrier::symbolic {

namespace {

constexpr int kFirstNodes = 100'000;
constexpr int kLargestIncrease = 4'000'000;
constexpr int kCacheRatio = 2;  // nodes for each entry of a cache
constexpr int kCaches = 6;
constexpr uint64_t kNodeBytes = 20;
constexpr uint64_t kEntryBytes = 24;
constexpr int kMinFree = 25;       // percent after a collection, or the table grows
constexpr int kCollectAbove = 40;  // percent in use

constexpr uint64_t bytes_of(uint64_t nodes) { return nodes * (kNodeBytes + kCaches * kEntryBytes / kCacheRatio); }

// Why an operation was left.
enum class Escape : int { None, Over, Bound, Memory, Error };

// The one kernel of the process, as BuDDy has it.
struct Kernel {
  std::atomic<bool> taken = false;
  std::atomic<std::thread::id> owner;
  Budget* budget = nullptr;
  uint64_t granted = 0;  // bytes, from the budget
  uint64_t peak = 0;
  std::optional<std::chrono::steady_clock::time_point> deadline;
  uint64_t most_nodes = UINT64_MAX;
  bool armed = false;  // an operation is running that can be left
  int error = 0;
  std::jmp_buf way_out;
};

Kernel kernel;  // NOLINT: BuDDy is a global thing, and this is the handle to it

bool is_late() { return kernel.deadline && std::chrono::steady_clock::now() >= *kernel.deadline; }

void leave(Escape why) {
  if (!kernel.armed) return;
  kernel.armed = false;
  std::longjmp(kernel.way_out, static_cast<int>(why));  // NOLINT
}

void on_error(int code) {
  kernel.error = code;
  leave(code == BDD_NODENUM || code == BDD_MEMORY ? Escape::Memory : Escape::Error);
}

// Before a collection it is time to look at the watch; after it, at whether the table may grow. It does if too little
// is free, by BuDDy's own reckoning, which overflows in large tables.
void on_collection(int before, bddGbcStat* statistics) {
  if (kernel.budget == nullptr) return;
  if (before != 0) {
    kernel.peak = std::max(kernel.peak, static_cast<uint64_t>(statistics->nodes - statistics->freenodes));
    if (kernel.budget->watch().over()) leave(Escape::Over);
    if (is_late()) leave(Escape::Bound);
    return;
  }
  const auto hundredfold = static_cast<int>(static_cast<unsigned>(statistics->freenodes) * 100u);
  if (!kernel.armed || hundredfold / statistics->nodes > kMinFree) return;
  const int64_t next = std::min(int64_t{2} * statistics->nodes, int64_t{statistics->nodes} + kLargestIncrease);
  if (static_cast<uint64_t>(next) > kernel.most_nodes) leave(Escape::Bound);
  const uint64_t bytes = bytes_of(static_cast<uint64_t>(next));
  bool enough = next < std::numeric_limits<int>::max() / 2;
  if (enough && bytes > kernel.granted) {
    try {
      kernel.budget->take(bytes - kernel.granted);
      kernel.granted = bytes;
    } catch (const MemoryLimitReached&) {
      enough = false;
    }
  }
  if (!enough) leave(Escape::Memory);
}

[[noreturn]] void fail(Escape why) {
  bdd_clear_error();
  switch (why) {
    case Escape::Over: kernel.budget->poll(); break;
    case Escape::Bound: throw BddManager::BoundReached();
    case Escape::Memory: throw MemoryLimitReached();
    case Escape::None:
    case Escape::Error: break;
  }
  throw Error(ErrorKind::Internal, std::string("decision diagrams: ") + bdd_errstring(kernel.error));
}

enum class Operation : int { Not, And, Or, Xor, Diff, Equivalent, Ite, Exists, AndExists, Simplify, Replace, Bit };

int perform(Operation op, int a, int b, int c, bddPair* pairs) {
  switch (op) {
    case Operation::Not: return bdd_not(a);
    case Operation::And: return bdd_apply(a, b, bddop_and);
    case Operation::Or: return bdd_apply(a, b, bddop_or);
    case Operation::Xor: return bdd_apply(a, b, bddop_xor);
    case Operation::Diff: return bdd_apply(a, b, bddop_diff);
    case Operation::Equivalent: return bdd_apply(a, b, bddop_biimp);
    case Operation::Ite: return bdd_ite(a, b, c);
    case Operation::Exists: return bdd_exist(a, b);
    case Operation::AndExists: return bdd_appex(a, b, bddop_and, c);
    case Operation::Simplify: return bdd_simplify(a, b);
    case Operation::Replace: return bdd_replace(a, pairs);
    case Operation::Bit: return bdd_ithvar(a);
  }
  return 0;
}

// Nothing in this frame has to be destroyed.
Escape attempt(Operation op, int a, int b, int c, bddPair* pairs, int* result) {
  const int why = setjmp(kernel.way_out);  // NOLINT
  if (why != 0) return static_cast<Escape>(why);
  kernel.armed = true;
  *result = perform(op, a, b, c, pairs);
  kernel.armed = false;
  return Escape::None;
}

Bdd run(Operation op, int a, int b = 0, int c = 0, bddPair* pairs = nullptr) {
  if (kernel.budget == nullptr) throw Error(ErrorKind::Internal, "decision diagrams without a manager");
  kernel.budget->poll();
  if (is_late()) throw BddManager::BoundReached();
  int result = 0;
  const Escape why = attempt(op, a, b, c, pairs, &result);
  if (why != Escape::None) fail(why);
  return Bdd::take(result);
}

}  // namespace

Bdd Bdd::take(int node) {
  Bdd out;
  out.node_ = node;
  if (node > 1) bdd_addref(node);
  return out;
}

Bdd::Bdd(const Bdd& other) : node_(other.node_) {
  if (node_ > 1) bdd_addref(node_);
}

Bdd& Bdd::operator=(const Bdd& other) {
  if (other.node_ > 1) bdd_addref(other.node_);
  if (node_ > 1) bdd_delref(node_);
  node_ = other.node_;
  return *this;
}

Bdd& Bdd::operator=(Bdd&& other) noexcept {
  std::swap(node_, other.node_);
  return *this;
}

Bdd::~Bdd() {
  if (node_ > 1) bdd_delref(node_);
}

Bdd Bdd::operator!() const { return is_constant() ? Bdd(is_false()) : run(Operation::Not, node_); }
Bdd operator&(const Bdd& a, const Bdd& b) {
  if (a.is_constant()) return a.is_true() ? b : a;
  if (b.is_constant()) return b.is_true() ? a : b;
  return run(Operation::And, a.node(), b.node());
}
Bdd operator|(const Bdd& a, const Bdd& b) {
  if (a.is_constant()) return a.is_true() ? a : b;
  if (b.is_constant()) return b.is_true() ? b : a;
  return run(Operation::Or, a.node(), b.node());
}
Bdd operator^(const Bdd& a, const Bdd& b) { return run(Operation::Xor, a.node(), b.node()); }
Bdd operator-(const Bdd& a, const Bdd& b) {
  if (a.is_false() || b.is_constant()) return b.is_true() ? Bdd() : a;
  return run(Operation::Diff, a.node(), b.node());
}
Bdd equivalent(const Bdd& a, const Bdd& b) { return run(Operation::Equivalent, a.node(), b.node()); }
Bdd ite(const Bdd& condition, const Bdd& then, const Bdd& otherwise) {
  if (condition.is_constant()) return condition.is_true() ? then : otherwise;
  if (then == otherwise) return then;
  return run(Operation::Ite, condition.node(), then.node(), otherwise.node());
}
Bdd exists(const Bdd& f, const Bdd& cube) {
  return f.is_constant() || cube.is_true() ? f : run(Operation::Exists, f.node(), cube.node());
}
Bdd and_exists(const Bdd& f, const Bdd& g, const Bdd& cube) {
  if (cube.is_true()) return f & g;
  return run(Operation::AndExists, f.node(), g.node(), cube.node());
}
Bdd simplified(const Bdd& f, const Bdd& care) {
  return care.is_constant() || f.is_constant() ? f : run(Operation::Simplify, f.node(), care.node());
}
bool intersects(const Bdd& a, const Bdd& b) { return !(a & b).is_false(); }

Bdd smallest(const Bdd& fresh, const Bdd& known) {
  const Bdd old = known - fresh;
  Bdd other = simplified(fresh, !old);
  return node_count(other) < node_count(fresh) ? other : fresh;
}

// BuDDy's own loses its memory with the first manager.
std::vector<int> support(const Bdd& f) {
  std::vector<int> out;
  if (f.is_constant()) return out;
  std::vector<bool> seen(static_cast<size_t>(bdd_getallocnum()));
  std::vector<bool> bits(static_cast<size_t>(bdd_varnum()));
  std::vector<int> open{f.node()};
  while (!open.empty()) {
    const int node = open.back();
    open.pop_back();
    if (node <= 1 || seen[static_cast<size_t>(node)]) continue;
    seen[static_cast<size_t>(node)] = true;
    bits[static_cast<size_t>(bdd_var(node))] = true;
    open.push_back(bdd_low(node));
    open.push_back(bdd_high(node));
  }
  for (size_t bit = 0; bit < bits.size(); ++bit) {
    if (bits[bit]) out.push_back(static_cast<int>(bit));
  }
  return out;
}

uint64_t node_count(const Bdd& f) { return f.is_constant() ? 0 : static_cast<uint64_t>(bdd_nodecount(f.node())); }

Branch branch(int node) { return {bdd_var(node), bdd_low(node), bdd_high(node)}; }

bool value(const Bdd& f, const std::vector<bool>& bits) {
  int node = f.node();
  while (node > 1) node = bits[static_cast<size_t>(bdd_var(node))] ? bdd_high(node) : bdd_low(node);
  return node == 1;
}

Bdd fixed(const Bdd& f, const std::vector<bool>& bits, const std::function<bool(int)>& open) {
  std::unordered_map<int, Bdd> known;
  const std::function<Bdd(int)> walk = [&](int node) -> Bdd {
    while (node > 1 && !open(bdd_var(node))) {
      node = bits[static_cast<size_t>(bdd_var(node))] ? bdd_high(node) : bdd_low(node);
    }
    if (node <= 1) return Bdd(node == 1);
    if (const auto at = known.find(node); at != known.end()) return at->second;
    const Bdd high = walk(bdd_high(node));
    const Bdd low = walk(bdd_low(node));
    return known[node] = ite(run(Operation::Bit, bdd_var(node)), high, low);
  };
  return walk(f.node());
}

Renaming::Renaming(std::span<const int> from, std::span<const int> to) : pairs_(bdd_newpair()) {
  if (pairs_ == nullptr) throw MemoryLimitReached();
  for (size_t i = 0; i < from.size(); ++i) bdd_setpair(pairs_, from[i], to[i]);
}
Renaming::~Renaming() { bdd_freepair(pairs_); }
Bdd Renaming::operator()(const Bdd& f) const {
  return f.is_constant() ? f : run(Operation::Replace, f.node(), 0, 0, pairs_);
}

BddManager::BddManager(Budget& budget) {
  while (kernel.taken.exchange(true)) {
    if (kernel.owner.load() == std::this_thread::get_id()) {
      throw Error(ErrorKind::Internal, "a second manager of decision diagrams in one thread");
    }
    budget.poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  kernel.owner = std::this_thread::get_id();
  const auto give_up = [] {
    kernel.owner = std::thread::id();
    kernel.taken = false;
  };
  try {
    budget.take(bytes_of(kFirstNodes));
  } catch (...) {
    give_up();
    throw;
  }
  if (bdd_init(kFirstNodes, kFirstNodes / kCacheRatio) < 0) {
    budget.give_back(bytes_of(kFirstNodes));
    give_up();
    throw MemoryLimitReached();
  }
  kernel.budget = &budget;
  kernel.granted = bytes_of(kFirstNodes);
  kernel.peak = 0;
  kernel.deadline.reset();
  kernel.most_nodes = UINT64_MAX;
  kernel.armed = false;
  bdd_error_hook(on_error);
  bdd_gbc_hook(on_collection);
  bdd_resize_hook(nullptr);
  bdd_setminfreenodes(kMinFree);
  bdd_setmaxincrease(kLargestIncrease);
  bdd_setcacheratio(kCacheRatio);
  bdd_disable_reorder();
  bdd_setvarnum(1);  // without any, what the last manager had would be freed again
}

BddManager::~BddManager() {
  bdd_done();
  kernel.budget->give_back(kernel.granted);
  kernel.budget = nullptr;
  kernel.owner = std::thread::id();
  kernel.taken = false;
}

void BddManager::resize(int bits) {
  const int now = bdd_varnum();
  if (bits <= now) return;
  if (bdd_extvarnum(bits - now) < 0) throw MemoryLimitReached();
}

int BddManager::bits() const { return bdd_varnum(); }
Bdd BddManager::bit(int index) const { return run(Operation::Bit, index); }

Bdd BddManager::cube(std::vector<int> bits) const {
  std::sort(bits.begin(), bits.end(), std::greater<>());
  Bdd out(true);
  for (const int b : bits) out &= bit(b);
  return out;
}

void BddManager::collect() {
  if (nodes() * 100 > static_cast<uint64_t>(bdd_getallocnum()) * kCollectAbove) bdd_gbc();
}

std::vector<size_t> BddManager::permute_windows(std::span<const int> block_sizes) {
  kernel.budget->poll();
  bdd_clrvarblocks();
  std::vector<std::pair<int, size_t>> places;  // of the first bit of each block
  for (int first = 0; const int size : block_sizes) {
    if (size > 0) bdd_intaddvarblock(first, first + size - 1, BDD_REORDER_FIXED);
    places.emplace_back(first, places.size());
    first += size;
  }
  bdd_reorder(BDD_REORDER_WIN3);
  for (auto& [place, block] : places) place = bdd_var2level(place);
  std::sort(places.begin(), places.end());
  std::vector<size_t> out;
  for (const auto& [place, block] : places) out.push_back(block);
  kernel.budget->poll();
  return out;
}

BddManager::Bound::Bound(double seconds, uint64_t nodes) {
  using Clock = std::chrono::steady_clock;
  constexpr double kForever = 1e8;
  if (seconds < kForever) {
    kernel.deadline =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }
  kernel.most_nodes = nodes;
}
BddManager::Bound::~Bound() {
  kernel.deadline.reset();
  kernel.most_nodes = UINT64_MAX;
}

uint64_t BddManager::nodes() const { return static_cast<uint64_t>(bdd_getnodenum()); }
uint64_t BddManager::peak_nodes() const { return std::max(kernel.peak, nodes()); }
const Budget& BddManager::budget() const { return *kernel.budget; }

namespace {

// The number of assignments to the bits from a position on, by node.
class Counter {
 public:
  explicit Counter(std::span<const int> bits) : size_(bits.size()) {
    for (const int b : bits) levels_.push_back(bdd_var2level(b));
    std::sort(levels_.begin(), levels_.end());
  }
  size_t position(int node) const {
    if (node <= 1) return size_;
    const int level = bdd_var2level(bdd_var(node));
    return static_cast<size_t>(std::lower_bound(levels_.begin(), levels_.end(), level) - levels_.begin());
  }
  // The bit at a position.
  int bit(size_t position) const { return bdd_level2var(levels_[position]); }
  long double from(int node, size_t position_before) {
    const long double own = node <= 1 ? static_cast<long double>(node) : of(node);
    return std::ldexp(own, static_cast<int>(position(node) - position_before));
  }

 private:
  long double of(int node) {
    if (const auto known = counts_.find(node); known != counts_.end()) return known->second;
    kernel.budget->poll();
    const size_t next = position(node) + 1;
    const long double out = from(bdd_low(node), next) + from(bdd_high(node), next);
    counts_.emplace(node, out);
    return out;
  }

  size_t size_;
  std::vector<int> levels_;
  std::unordered_map<int, long double> counts_;
};

}  // namespace

long double count(const Bdd& f, std::span<const int> bits) { return Counter(bits).from(f.node(), 0); }

std::vector<bool> random_assignment(const Bdd& f, std::span<const int> bits, int all_bits, Draw draw, Rng& rng) {
  Counter counter(bits);
  std::vector<bool> out(static_cast<size_t>(all_bits));
  const auto coin = [&] { return (rng.next() >> 63) != 0; };
  int node = f.node();
  for (size_t position = 0; position < bits.size(); ++position) {
    const auto bit = static_cast<size_t>(counter.bit(position));
    if (node <= 1 || bdd_var(node) != static_cast<int>(bit)) {
      out[bit] = coin();
      continue;
    }
    const int low = bdd_low(node);
    const int high = bdd_high(node);
    if (low == 0 || high == 0) {
      out[bit] = low == 0;
    } else if (draw == Draw::Branches) {
      out[bit] = coin();
    } else {
      const long double ones = counter.from(high, position + 1);
      const long double share = ones / (ones + counter.from(low, position + 1));
      out[bit] = std::ldexp(static_cast<long double>(rng.next()), -64) < share;
    }
    node = out[bit] ? high : low;
  }
  return out;
}

std::vector<bool> any_assignment(const Bdd& f, int bits) {
  std::vector<bool> out(static_cast<size_t>(bits));
  for (int node = f.node(); node > 1;) {
    const bool high = bdd_low(node) == 0;
    out[static_cast<size_t>(bdd_var(node))] = high;
    node = high ? bdd_high(node) : bdd_low(node);
  }
  return out;
}

}  // namespace harrier::symbolic
