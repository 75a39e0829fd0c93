// What the symbolic searches have in common: they go on by one set of states at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/path.h"

namespace harrier::symbolic {

class Engine {
 public:
  enum class Status : uint8_t { Running, Found, Exhausted };

  Engine() = default;
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Makes one set of states out of another. Nothing changes after Found and Exhausted.
  virtual Status advance() = 0;
  // With Found. It leads to the goal, or has a failure, or shows that the property does not hold; where no single path
  // does, there is none.
  virtual model::Path path() = 0;
  virtual bool has_path() const { return true; }
  // What is to be said of a proof.
  virtual std::vector<std::string> remarks() const { return {}; }

  virtual long double states() const = 0;  // found so far
  virtual uint64_t layers() const = 0;     // sets of states that were made
  virtual uint64_t depth() const = 0;      // of what was made last
  virtual uint64_t images() const = 0;
  // States that were left out because there is no way from them to the goal.
  virtual long double dead_ends() const { return 0; }
};

}  // namespace harrier::symbolic
