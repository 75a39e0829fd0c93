// The dialogue of `harrier simulate`: commands, one a line, and what they show.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harrier/simulation.h"

namespace harrier::cli {

class Dialogue {
 public:
  // `limits` bind each command. Files of the model cannot be written to.
  Dialogue(const Model& model, const SimulationLimits& limits, uint64_t seed);

  // A line about where it stands, for a prompt.
  std::string prompt() const;
  // The state and what can happen, as after a command that moves.
  void show_place();
  // Carries out a command. Throws what goes wrong. False: the dialogue is over.
  bool obey(const std::string& line);
  void load(const std::string& file);

 private:
  using Words = std::vector<std::string>;
  struct Command {
    const char* name;
    const char* arguments;
    const char* help;
    void (Dialogue::*obey)(const Words& words, const std::string& rest);
    size_t most_words;
  };
  static const std::vector<Command>& commands();
  static const Command& find(const std::string& name);

  void help(const Words& words, const std::string& rest);
  void show(const Words& words, const std::string& rest);
  void list(const Words& words, const std::string& rest);
  void take(const Words& words, const std::string& rest);
  void wait(const Words& words, const std::string& rest);
  void undo(const Words& words, const std::string& rest);
  void redo(const Words& words, const std::string& rest);
  void go(const Words& words, const std::string& rest);
  void random(const Words& words, const std::string& rest);
  void seed(const Words& words, const std::string& rest);
  void run(const Words& words, const std::string& rest);
  void trace(const Words& words, const std::string& rest);
  void save(const Words& words, const std::string& rest);
  void load_trace(const Words& words, const std::string& rest);
  void quit(const Words& words, const std::string& rest);

  std::string state_text();
  std::string values_text(const std::vector<Simulation::Value>& values) const;
  std::string transitions_text(const std::string& wanted, size_t most);

  const Model& model_;
  SimulationLimits limits_;
  Simulation simulation_;
  bool colours_;
  bool over_ = false;
};

}  // namespace harrier::cli
