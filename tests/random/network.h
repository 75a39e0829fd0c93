// What the reference explorer needs to know of a network of timed automata. It is implemented twice: on the tester's
// own syntax tree (`ta_network.h`) and on `model::System` (`system_network.h`); when the two disagree, the front end
// is wrong, and when they agree against a search, the search is.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace harrier::testing_support {

// left - right < bound (strict) or <= bound; clock 0 is the constant 0.
struct NetAtom {
  uint32_t left = 0;
  uint32_t right = 0;
  bool strict = false;
  int32_t bound = 0;
};

struct NetReset {
  uint32_t clock = 0;
  int32_t value = 0;
};

enum class NetDirection : uint8_t { Internal, Send, Receive };
enum class NetLocation : uint8_t { Normal, Urgent, Committed };

// An edge that leaves the current location of its process and whose conditions on variables hold.
struct NetEdge {
  uint32_t process = 0;
  uint32_t id = 0;  // for `apply`, the network's own numbering
  NetDirection direction = NetDirection::Internal;
  uint32_t channel = 0;
  bool broadcast = false;
  bool urgent = false;
  int32_t channel_priority = 0;
  std::vector<NetAtom> clocks;
};

enum class NetDeadlock : uint8_t { Ignore, Is, IsNot };

struct NetClause {
  bool holds = false;  // the part on variables
  std::vector<NetAtom> clocks;
  NetDeadlock deadlock = NetDeadlock::Ignore;
};

// The model fails at run time (or is outside of what the tester understands): there is no verdict to compare.
struct NetRuntimeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A query has no value in some state.
struct NetQueryFailure {};

using NetValues = std::vector<int32_t>;

// All functions may throw NetRuntimeError.
class Network {
 public:
  virtual ~Network() = default;

  virtual uint32_t processes() const = 0;
  virtual uint32_t clocks() const = 0;           // without clock 0
  virtual int32_t largest_constant() const = 0;  // that a clock or difference is compared with, or set to
  virtual bool has_diagonals() const = 0;
  virtual bool has_strict_bounds() const = 0;  // somewhere in guards, invariants or goals
  virtual int32_t process_priority(uint32_t process) const = 0;

  virtual NetValues initial_values() = 0;
  virtual NetLocation location_kind(const NetValues& values, uint32_t process) = 0;
  virtual std::vector<NetEdge> edges(const NetValues& values, uint32_t process) = 0;
  // Runs the updates of edges that fire together, in this order. False: a range violation, the transition is not taken.
  virtual bool apply(std::span<const uint32_t> edges, NetValues& values, std::vector<NetReset>& resets) = 0;
  // The invariants of all current locations: false if a condition on variables fails; else their clock constraints.
  virtual bool invariant(const NetValues& values, std::vector<NetAtom>& clocks) = 0;
  virtual size_t queries() const = 0;
  // Throws NetQueryFailure. What depends on clocks protects nothing from that; conditions on variables protect what
  // follows them.
  virtual std::vector<NetClause> goal(const NetValues& values, size_t query) = 0;
};

}  // namespace harrier::testing_support
