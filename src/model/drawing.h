// Where the input says that its processes are drawn: places as in the file, x to the right and y downwards. No part of
// what a model means.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace harrier::model {

struct Point {
  int32_t x = 0;
  int32_t y = 0;
};

struct DrawnLocation {
  Point at;
  // Where its texts stand.
  std::optional<Point> name;
  std::optional<Point> invariant;
};

struct DrawnEdge {
  std::vector<Point> bends;  // between the source and the target
  // Where its texts stand.
  std::optional<Point> select;
  std::optional<Point> guard;
  std::optional<Point> synchronisation;
  std::optional<Point> update;
};

struct Drawing {
  // By process and location; a process that is not drawn has none.
  std::vector<std::vector<DrawnLocation>> locations;
  std::vector<DrawnEdge> edges;  // by edge; none where no process is drawn
};

}  // namespace harrier::model
