// Relations of objects, for joins (grounding_join.h): sets of tuples of one length, which are numbered in the order in
// which they come, with indexes on some of their columns.
//
// A tuple is added first, and *entered* later: indexes have only those that were entered, and these are the first ones.
// So a join that is under way does not see what it finds.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/hash.h"

namespace harrier::pddl {

class Index;

class Relation {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  // `widths`: so many objects there can be in each column.
  explicit Relation(std::vector<uint32_t> widths)
      : arity_(static_cast<uint32_t>(widths.size())), widths_(std::move(widths)) {}

  uint32_t arity() const { return arity_; }
  uint32_t width(uint32_t column) const { return widths_[column]; }
  bool complete() const { return complete_; }
  void set_complete() { complete_ = true; }
  uint32_t size() const { return size_; }
  uint32_t entered() const { return entered_; }
  const uint32_t* tuple(uint32_t number) const { return objects_.data() + size_t{number} * arity_; }

  // Its number; kNone: there is none.
  uint32_t find(const uint32_t* tuple) const;
  // Its number, and whether it is new.
  std::pair<uint32_t, bool> add(const uint32_t* tuple);
  // For relations in which no tuple is looked for, and none is added twice.
  uint32_t append(const uint32_t* tuple);
  // The next one.
  void enter();
  void enter_all();

  // On columns in ascending order, at least one; made when it is asked for first.
  const Index& index(const std::vector<uint32_t>& columns);
  // How many objects there are in a column of the tuples that were entered.
  uint32_t distinct(uint32_t column);

 private:
  uint64_t hash(const uint32_t* tuple) const;
  void grow();

  uint32_t arity_;
  std::vector<uint32_t> widths_;
  bool complete_ = false;  // no more tuples will come
  uint32_t size_ = 0;
  uint32_t entered_ = 0;
  std::vector<uint32_t> objects_;
  std::vector<uint32_t> slots_;  // numbers, by hash; a power of two of them
  std::vector<std::unique_ptr<Index>> indexes_;
  std::vector<std::pair<uint32_t, uint32_t>> distinct_;  // of each column: how many, when so many were entered
};

// Tuples with the same objects in some columns, the last one first.
class Index {
 public:
  Index(const Relation& relation, std::vector<uint32_t> columns) : relation_(relation), columns_(std::move(columns)) {}

  const std::vector<uint32_t>& columns() const { return columns_; }
  void enter(uint32_t number);
  // `key` has the objects in the order of the columns.
  uint32_t first(const uint32_t* key) const;
  uint32_t next(uint32_t number) const { return next_[number]; }
  uint32_t keys() const { return keys_; }

 private:
  void grow();
  size_t slot_of(uint32_t number) const;

  const Relation& relation_;
  std::vector<uint32_t> columns_;
  std::vector<uint32_t> slots_;  // the last tuple of each key; by hash, or with one column by the object
  std::vector<uint32_t> next_;
  uint32_t keys_ = 0;
};

}  // namespace harrier::pddl
