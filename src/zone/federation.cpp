#include "zone/federation.h"

namespace harrier::zone {

bool restrict_to(Piece& piece, std::span<const Atom> atoms) {
  for (const Atom& a : atoms) {
    if (!piece.zone.constrain(a.left, a.right, a.bound)) return false;
    piece.atoms.push_back(a);
  }
  return true;
}

std::vector<Piece> subtract(std::vector<Piece> pieces, std::span<const Atom> conjunction, const Watch& watch) {
  std::vector<Piece> left;
  for (Piece& piece : pieces) {
    watch.poll();
    // Z minus (a1 and a2 and …) is (Z and not a1), (Z and a1 and not a2), …
    for (const Atom& atom : conjunction) {
      Piece outside = piece;
      if (outside.zone.constrain(atom.right, atom.left, negate(atom.bound))) {
        outside.atoms.push_back({atom.right, atom.left, negate(atom.bound)});
        left.push_back(std::move(outside));
      }
      if (!piece.zone.constrain(atom.left, atom.right, atom.bound)) break;
      piece.atoms.push_back(atom);
    }
  }
  return left;
}

std::vector<Atom> atoms_of(const Zone& zone) {
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  dbm::minimal_constraints(zone.data(), zone.dim(), pairs);
  std::vector<Atom> atoms;
  for (const auto& [i, j] : pairs) atoms.push_back({i, j, zone.at(i, j)});
  return atoms;
}

}  // namespace harrier::zone
