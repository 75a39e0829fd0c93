// Hashing: of word vectors, fast and good enough in every bit for open addressing with tags, and of texts.
#pragma once

#include <cstdint>
#include <string_view>

namespace harrier {

inline uint64_t mix64(uint64_t x) {
  x ^= x >> 32;
  x *= 0xe9846af9b1a615dULL;
  x ^= x >> 32;
  x *= 0xe9846af9b1a615dULL;
  x ^= x >> 28;
  return x;
}

inline uint64_t hash_words(const uint64_t* words, uint32_t count) {
  uint64_t h = 0x9e3779b97f4a7c15ULL;
  for (uint32_t i = 0; i < count; ++i) h = (h ^ mix64(words[i] + i)) * 0x9fb21c651e98df25ULL;
  return mix64(h);
}

// FNV-1a.
inline uint64_t hash_text(std::string_view text) {
  uint64_t hash = 14695981039346656037ull;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ull;
  }
  return hash;
}

}  // namespace harrier
