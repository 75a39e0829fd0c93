#include "store/state_tree.h"

#include "base/error.h"

namespace harrier::store {

StateTree::StateTree(Budget& budget, uint32_t words_per_state)
    : words_(words_per_state),
      roots_(budget, 1),
      table_(budget, kFirstSlots),
      recent_(words_per_state),
      read_(words_per_state) {
  const uint32_t at_once = words_ == 2 ? 1 : 2;
  std::vector<uint32_t> level;
  for (uint32_t first = 0; first < words_; first += at_once) {
    level.push_back(static_cast<uint32_t>(nodes_.size()));
    nodes_.push_back({.first_word = first, .words = std::min(at_once, words_ - first)});
  }
  while (level.size() > 1) {
    std::vector<uint32_t> next;
    for (size_t i = 0; i + 1 < level.size(); i += 2) {
      next.push_back(static_cast<uint32_t>(nodes_.size()));
      nodes_.push_back({.left = level[i], .right = level[i + 1]});
    }
    if (level.size() % 2 != 0) next.push_back(level.back());
    level = std::move(next);
  }
  for (uint32_t i = 0; i < root(); ++i) pieces_.emplace_back(budget, std::max(nodes_[i].words, 1u));
  numbers_.resize(nodes_.size());
  changed_.resize(nodes_.size());
}

uint32_t StateTree::Pieces::number_of(const uint64_t* piece) {
  const uint64_t hash = hash_words(piece, words_);
  NumberTable::Slot slot = slot_of(piece, hash);
  if (slot.number == NumberTable::kNone) {
    if (pieces_.size() == kMostPieces)
      throw Error(ErrorKind::Unsupported, "unsupported: more than 2^32 parts of states");
    slot = table_.with_room(slot, hash, [&](uint64_t i) { return hash_words(pieces_[i], words_); });
    std::copy(piece, piece + words_, pieces_.append());
    table_.put(slot, hash);
    return static_cast<uint32_t>(pieces_.size() - 1);
  }
  return static_cast<uint32_t>(slot.number);
}

Admission StateTree::insert(const uint64_t* words) {
  const bool compare = has_recent_;
  has_recent_ = false;  // should there be no memory in between
  for (uint32_t i = 0; i < root(); ++i) {
    const Node& node = nodes_[i];
    if (node.words != 0) {
      const uint64_t* const piece = words + node.first_word;
      changed_[i] = !compare || !std::equal(piece, piece + node.words, recent_.data() + node.first_word);
      if (changed_[i]) numbers_[i] = pieces_[i].number_of(piece);
    } else {
      changed_[i] = changed_[node.left] || changed_[node.right];
      const uint64_t piece = pair(numbers_[node.left], numbers_[node.right]);
      if (changed_[i]) numbers_[i] = pieces_[i].number_of(&piece);
    }
  }
  std::copy(words, words + words_, recent_.begin());
  has_recent_ = true;
  const uint64_t whole = pair(numbers_[nodes_[root()].left], numbers_[nodes_[root()].right]);
  NumberTable::Slot slot = slot_of(whole);
  if (slot.number != NumberTable::kNone) return {slot.number, false};
  const uint64_t hash = hash_words(&whole, 1);
  slot = table_.with_room(slot, hash, [&](uint64_t id) { return hash_words(roots_[id], 1); });
  *roots_.append() = whole;
  table_.put(slot, hash);
  return {roots_.size() - 1, true};
}

bool StateTree::contains(const uint64_t* words) const {
  std::vector<uint32_t> numbers(nodes_.size());
  for (uint32_t i = 0; i < root(); ++i) {
    const Node& node = nodes_[i];
    const uint64_t piece = pair(numbers[node.left], numbers[node.right]);
    const uint64_t number = pieces_[i].find(node.words != 0 ? words + node.first_word : &piece);
    if (number == NumberTable::kNone) return false;
    numbers[i] = static_cast<uint32_t>(number);
  }
  return slot_of(pair(numbers[nodes_[root()].left], numbers[nodes_[root()].right])).number != NumberTable::kNone;
}

void StateTree::unfold(uint32_t node, uint64_t pair) const {
  for (const auto& [part, number] : {std::pair(nodes_[node].left, static_cast<uint32_t>(pair >> 32)),
                                     std::pair(nodes_[node].right, static_cast<uint32_t>(pair))}) {
    const uint64_t* const piece = pieces_[part][number];
    if (nodes_[part].words != 0) {
      std::copy(piece, piece + nodes_[part].words, read_.data() + nodes_[part].first_word);
    } else {
      unfold(part, *piece);
    }
  }
}

const uint64_t* StateTree::operator[](uint64_t id) const {
  unfold(root(), *roots_[id]);
  return read_.data();
}

uint64_t StateTree::bytes() const {
  uint64_t sum = roots_.bytes() + table_.bytes();
  for (const Pieces& p : pieces_) sum += p.bytes();
  return sum;
}

}  // namespace harrier::store
