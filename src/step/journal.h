// The variables that have been written, with what they were before: so that a transition can be taken back, and that
// what it changed is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace harrier::step {

struct JournalEntry {
  uint32_t variable = 0;
  int32_t old_value = 0;
};

class Journal {
 public:
  Journal() : buffer_(kFirstRoom) {}

  size_t size() const { return size_; }
  std::span<const JournalEntry> entries() const { return {buffer_.data(), size_}; }
  void push_back(JournalEntry entry) {
    *room(1) = entry;
    ++size_;
  }
  void clear() { size_ = 0; }
  // Takes back all writes but the first `kept`.
  void undo_to(int32_t* values, size_t kept) {
    for (; size_ > kept; --size_) values[buffer_[size_ - 1].variable] = buffer_[size_ - 1].old_value;
  }

  // Where so many further entries can be written; `append_in_room` then takes as many of them in as there are.
  JournalEntry* room(size_t entries) {
    if (buffer_.size() - size_ < entries) [[unlikely]]
      buffer_.resize(2 * buffer_.size() + entries);
    return buffer_.data() + size_;
  }
  void append_in_room(size_t entries) { size_ += entries; }

 private:
  static constexpr size_t kFirstRoom = 128;

  std::vector<JournalEntry> buffer_;
  size_t size_ = 0;
};

}  // namespace harrier::step
