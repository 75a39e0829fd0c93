// Binary decision diagrams (Bryant 1986): sets of assignments to numbered bits, as values.
//
//     BddManager manager(budget);
//     manager.resize(4);                                   // bits 0..3, bit 0 at the top
//     Bdd f = manager.bit(0) & !manager.bit(2);
//     Bdd g = exists(f, manager.cube(std::vector<int>{2}));
//     if (g.is_false()) …
//
// The package behind it (BuDDy) has one table for the whole process: there is one manager at a time, and a second one
// waits for it. A manager and its diagrams belong to one thread at a time; the diagrams must go before the manager.
//
// Limits hold inside operations as well: the table grows as far as the budget allows, and the watch is looked at
// whenever it is full. What is thrown then, MemoryLimitReached or Error(Limit), leaves all diagrams as they were.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "base/rng.h"

struct s_bddPair;

namespace harrier::symbolic {

class Bdd {
 public:
  Bdd() = default;  // false, the empty set
  explicit Bdd(bool value) : node_(value ? 1 : 0) {}
  Bdd(const Bdd& other);
  Bdd(Bdd&& other) noexcept : node_(other.node_) { other.node_ = 0; }
  Bdd& operator=(const Bdd& other);
  Bdd& operator=(Bdd&& other) noexcept;
  ~Bdd();

  bool is_false() const { return node_ == 0; }
  bool is_true() const { return node_ == 1; }
  bool is_constant() const { return node_ <= 1; }
  // They are the same function.
  friend bool operator==(const Bdd& a, const Bdd& b) { return a.node_ == b.node_; }

  Bdd operator!() const;
  friend Bdd operator&(const Bdd& a, const Bdd& b);
  friend Bdd operator|(const Bdd& a, const Bdd& b);
  friend Bdd operator^(const Bdd& a, const Bdd& b);
  friend Bdd operator-(const Bdd& a, const Bdd& b);  // a and not b
  Bdd& operator&=(const Bdd& b) { return *this = *this & b; }
  Bdd& operator|=(const Bdd& b) { return *this = *this | b; }
  Bdd& operator-=(const Bdd& b) { return *this = *this - b; }

  // A number that is its own as long as it lives.
  int node() const { return node_; }
  static Bdd take(int node);  // of the package

 private:
  int node_ = 0;
};

Bdd equivalent(const Bdd& a, const Bdd& b);
Bdd ite(const Bdd& condition, const Bdd& then, const Bdd& otherwise);
// For some values of the bits of the cube.
Bdd exists(const Bdd& f, const Bdd& cube);
Bdd and_exists(const Bdd& f, const Bdd& g, const Bdd& cube);
// Something that agrees with f where `care` holds, and may be smaller.
Bdd simplified(const Bdd& f, const Bdd& care);
bool intersects(const Bdd& a, const Bdd& b);
// Something between `fresh` and `known`, which includes it, with as few nodes as possible.
Bdd smallest(const Bdd& fresh, const Bdd& known);

// The bits that f depends on, in ascending order.
std::vector<int> support(const Bdd& f);
uint64_t node_count(const Bdd& f);
// What a node asks that is no constant (0 is false, 1 is true), and the nodes for both answers. All nodes of a diagram
// are there as long as it is. Bits ascend on every way down.
struct Branch {
  int bit = 0;
  int low = 0;
  int high = 0;
};
Branch branch(int node);
// The value of f for an assignment, by bit.
bool value(const Bdd& f, const std::vector<bool>& bits);
// What f says of the open bits, for an assignment to all others.
Bdd fixed(const Bdd& f, const std::vector<bool>& bits, const std::function<bool(int)>& open);

// Bits into other bits. Those that are renamed to must not occur in what is renamed.
class Renaming {
 public:
  Renaming(std::span<const int> from, std::span<const int> to);
  ~Renaming();
  Renaming(const Renaming&) = delete;
  Renaming& operator=(const Renaming&) = delete;

  Bdd operator()(const Bdd& f) const;

 private:
  s_bddPair* pairs_ = nullptr;
};

class BddManager {
 public:
  // Waits, under the budget's watch, until there is no other one. The budget must outlive it.
  explicit BddManager(Budget& budget);
  ~BddManager();
  BddManager(const BddManager&) = delete;
  BddManager& operator=(const BddManager&) = delete;

  // There are at least so many bits from now on. New ones come at the bottom.
  void resize(int bits);
  int bits() const;
  Bdd bit(int index) const;
  Bdd cube(std::vector<int> bits) const;

  // Frees what is not used any more, if it is a good part of the table: to be called between operations.
  void collect();

  // Permutes blocks of bits, three neighbours at a time, while all diagrams together become smaller (Ishiura, Sawada,
  // Yajima 1991), and gives the numbers of the blocks from top to bottom. A block is an interval of bits; they follow
  // each other from bit 0 on. The limits are looked at before and after only, so it is for small tables. It is for the
  // end of a manager: bits keep their numbers, but their places are others from then on.
  std::vector<size_t> permute_windows(std::span<const int> block_sizes);

  // As long as it lives, operations end with BoundReached after some seconds, or when the table would have more nodes,
  // garbage included. There is one at a time.
  class Bound {
   public:
    explicit Bound(double seconds, uint64_t nodes = UINT64_MAX);
    ~Bound();
    Bound(const Bound&) = delete;
    Bound& operator=(const Bound&) = delete;
  };
  // Leaves all diagrams as they were, like the limits of the run. Whoever sets a bound catches it.
  struct BoundReached {};

  uint64_t nodes() const;       // in use now, garbage included
  uint64_t peak_nodes() const;  // ever
  const Budget& budget() const;
};

// The number of assignments to the given bits, on which alone f depends. Exact up to 2^64.
long double count(const Bdd& f, std::span<const int> bits);
// An assignment that makes f, which is not false, true: all bits, 0 where f does not say.
std::vector<bool> any_assignment(const Bdd& f, int bits);

// How a random assignment is drawn.
enum class Draw : uint8_t {
  Uniform,   // all are equally likely
  Branches,  // all branches of a diagram are, as packages without counting do it
};
// An assignment to the given bits, on which alone f depends, that makes f, which is not false, true; 0 elsewhere.
std::vector<bool> random_assignment(const Bdd& f, std::span<const int> bits, int all_bits, Draw draw, Rng& rng);

}  // namespace harrier::symbolic
