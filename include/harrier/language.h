// An input language as others see it: how its models are told from others, what they have, and which options they take;
// and what came of a translation.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace harrier {

// An option that only models of some languages take.
struct LanguageOption {
  // What it has to do with properties about infinite paths.
  enum class Cycles : uint8_t {
    None,
    Asks,   // it asks for such a property
    Needs,  // it has no meaning without one
  };

  std::string name;   // "--goal"
  std::string value;  // what it takes, as help shows it; empty: nothing
  std::string summary;
  std::string help = {};                   // more, if there is more to say
  bool reading = false;                    // it tells how the text is read; otherwise what is checked
  bool repeated = false;                   // it may be given more than once
  std::vector<std::string> excludes = {};  // names of options that it cannot be given together with
  Cycles cycles = Cycles::None;
  std::string needs = {};                 // what else it needs, in words that follow "needs"
  std::vector<std::string> example = {};  // of its use, as words of a command line
};

// Options that are given: names, and values or "".
using LanguageOptions = std::vector<std::pair<std::string, std::string>>;

struct LanguageInfo {
  std::string name;   // "promela"
  std::string title;  // "Promela"
  std::string summary;
  std::vector<std::string> suffixes;  // of file names, with the dot
  bool clocks = false;                // models may have clocks
  bool queries = false;               // queries can be added to a model (Model::add_query)
  std::string properties;             // what to give instead of queries; empty: the model has its properties
  bool trail = false;                 // witnesses can be written as trails for the language's own tool
  bool plan = false;                  // witnesses are plans: they can be written, and read, as competitions do
  bool sas = false;                   // models can be written as SAS+ tasks
  // What else there is in a file of its own, which is given as a second file, in any order; empty: nothing.
  std::string companion = {};
  std::vector<LanguageOption> options = {};
};

// What a front end made of a text before there was a model, and how long that took, in order. Names are stable: they
// are keys of the JSON output. Empty where a text is a model as it is.
struct Translation {
  std::vector<std::pair<std::string, uint64_t>> sizes;  // "variables"
  std::vector<std::pair<std::string, double>> seconds;  // "grounding"
};

}  // namespace harrier
