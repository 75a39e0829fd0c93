// Our own example models that grow with a number n, written out as text: `harrier generate FAMILY N`.
//
//     for (const Family& family : families()) …            // the explicit table, of the first language
//     const Family* hanoi = find_family("hanoi");          // null if there is none of that name
//     Generated generated = hanoi->generate(5);            // precondition: min_n <= 5 <= max_n
//     find_family("philosophers", "smv")                   // the one in that language
//
// A model starts with a comment that tells what it is, what is known about it and which query goes with it; the
// query is also returned apart, if the language has it in a file of its own. UPPAAL's texts depend on n through their
// constants only, so that a model of any size is as short as the smallest one; in SMV every process is a line.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace harrier::families {

struct Generated {
  std::string model;
  std::string query;  // one line, without its end; empty: the property is part of the model
};

struct Family {
  const char* name;
  const char* help;  // one line
  uint32_t min_n;
  uint32_t max_n;
  Generated (*generate)(uint32_t n);
};

struct Language {
  const char* name;  // as `--language` has it
  std::span<const Family> families;
};

std::span<const Language> languages();
// Of the first language.
std::span<const Family> families();
// Without a language: of the first one that has a family of this name.
const Family* find_family(std::string_view name, std::string_view language = {});

}  // namespace harrier::families
