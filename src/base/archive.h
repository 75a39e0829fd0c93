// Numbers, texts and lists as bytes, the same on every machine, and back.
//
//     ArchiveWriter out;                          ArchiveReader in(bytes, "file.hdb");
//     out.number(3);                              in.number();
//     out.text("pdb");                            in.text();
//     out.list(distances);                        distances = in.list<uint8_t>();
//
// A reader trusts nothing: what is cut off or out of range is an Error(Input) that names the file.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace harrier {

class ArchiveWriter {
 public:
  void number(uint64_t value) { put(value); }
  void text(std::string_view value) {
    number(value.size());
    bytes_ += value;
  }
  template <std::integral T>
  void list(const std::vector<T>& values) {
    number(values.size());
    bytes_.reserve(bytes_.size() + values.size() * sizeof(T));
    for (const T value : values) put(value);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  template <std::integral T>
  void put(T value) {
    for (size_t i = 0; i < sizeof(T); ++i) {
      bytes_ += static_cast<char>((static_cast<uint64_t>(value) >> (8 * i)) & 0xff);
    }
  }

  std::string bytes_;
};

class ArchiveReader {
 public:
  // Keeps a reference to the bytes.
  ArchiveReader(std::string_view bytes, std::string name) : rest_(bytes), name_(std::move(name)) {}

  // One that must not be larger than `most`.
  uint64_t number(uint64_t most = std::numeric_limits<uint64_t>::max()) {
    const auto value = get<uint64_t>();
    if (value > most) fail("a number is out of range");
    return value;
  }
  std::string_view text() {
    const uint64_t size = number();
    if (size > rest_.size()) fail("it is cut off");
    const std::string_view value = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return value;
  }
  template <std::integral T>
  std::vector<T> list() {
    const uint64_t size = number();
    if (size > rest_.size() / sizeof(T)) fail("it is cut off");
    std::vector<T> values(size);
    for (T& value : values) value = get<T>();
    return values;
  }
  // Of so many, each below `end`.
  template <std::integral T>
  std::vector<T> list(uint64_t size, uint64_t end) {
    std::vector<T> values = list<T>();
    if (values.size() != size) fail("a list has the wrong length");
    for (const T value : values) {
      if (static_cast<uint64_t>(value) >= end) fail("a number is out of range");
    }
    return values;
  }
  bool at_end() const { return rest_.empty(); }
  [[noreturn]] void fail(const std::string& why) const { throw Error(ErrorKind::Input, name_ + ": " + why); }

 private:
  template <std::integral T>
  T get() {
    if (rest_.size() < sizeof(T)) fail("it is cut off");
    uint64_t value = 0;
    for (size_t i = 0; i < sizeof(T); ++i) {
      value |= static_cast<uint64_t>(static_cast<unsigned char>(rest_[i])) << (8 * i);
    }
    rest_.remove_prefix(sizeof(T));
    return static_cast<T>(value);
  }

  std::string_view rest_;
  std::string name_;
};

}  // namespace harrier
