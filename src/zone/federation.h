// Unions of zones, where one convex zone does not do: what is left of a zone when others are taken away.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/watch.h"
#include "zone/dbm.h"

namespace harrier::zone {

// x_left - x_right ~ bound.
struct Atom {
  uint32_t left = 0;
  uint32_t right = 0;
  Bound bound = 0;
};

// A zone, and the atoms that cut it out of the zone it is a part of.
struct Piece {
  Zone zone;
  std::vector<Atom> atoms;
};

// Cuts a piece down to the atoms; false if nothing is left.
bool restrict_to(Piece& piece, std::span<const Atom> atoms);

// Takes the conjunction of atoms away from every piece. The remaining pieces are disjoint if the given ones were.
std::vector<Piece> subtract(std::vector<Piece> pieces, std::span<const Atom> conjunction, const Watch& watch);

// The zone as a conjunction of atoms.
std::vector<Atom> atoms_of(const Zone& zone);

}  // namespace harrier::zone
