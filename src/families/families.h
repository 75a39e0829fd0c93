// Our own example models that grow with a number n, written out as UPPAAL text: `harrier generate FAMILY N`.
//
//     for (const Family& family : families()) …            // the explicit table
//     const Family* hanoi = find_family("hanoi");          // null if there is none of that name
//     Generated generated = hanoi->generate(5);            // precondition: min_n <= 5 <= max_n
//
// A model starts with a comment that tells what it is, what is known about it and which query goes with it; the
// query is also returned apart. Everything else in the text depends on n through its constants, so a model of any
// size is as short as the smallest one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace harrier::families {

struct Generated {
  std::string model;  // `.xta` text in the new syntax
  std::string query;  // one line, without its end
};

struct Family {
  const char* name;
  const char* help;  // one line
  uint32_t min_n;
  uint32_t max_n;
  Generated (*generate)(uint32_t n);
};

std::span<const Family> families();
const Family* find_family(std::string_view name);

}  // namespace harrier::families
