#include "cli/walk_options.h"

#include <algorithm>
#include <map>

namespace harrier::cli {

namespace {

const std::map<std::string, WalkOptions::Restart> kRestarts = {{"initial", WalkOptions::Restart::Initial},
                                                               {"previous", WalkOptions::Restart::Previous},
                                                               {"best", WalkOptions::Restart::Best}};
const std::map<std::string, WalkOptions::Selection> kSelections = {{"one", WalkOptions::Selection::One},
                                                                   {"all", WalkOptions::Selection::All}};
const std::map<std::string, WalkOptions::Bias> kBiases = {{"linear", WalkOptions::Bias::Linear},
                                                          {"softmax", WalkOptions::Bias::Softmax},
                                                          {"greedy", WalkOptions::Bias::Greedy}};

}  // namespace

const CLI::Option* WalkArguments::given() const {
  const auto at = std::find_if(known.begin(), known.end(), [](const CLI::Option* o) { return o->count() > 0; });
  return at == known.end() ? nullptr : *at;
}

void add_walk_options(CLI::App& command, WalkArguments& arguments) {
  WalkOptions& o = arguments.options;
  const auto add = [&](CLI::Option* option) {
    option->group("Random walks (--search walk)");
    arguments.known.push_back(option);
    return option;
  };
  const auto choice = [&](const char* name, auto& target, const auto& names, const char* type, const char* help) {
    add(command.add_option(name, target, help))
        ->transform(CLI::CheckedTransformer(names).description(""))
        ->type_name(type);
  };
  const CLI::Range share(0.0, 1.0);
  // A negative number would be taken for a very large one.
  const CLI::Range count(uint64_t{0}, uint64_t{1} << 62);
  add(command.add_option("--walks", o.walks, "give up after N walks"))->type_name("N")->check(count);
  add(command.add_option("--walk-depth", o.depth, "steps of a walk at most, 0: no limit; by default varied"))
      ->type_name("N")
      ->check(count);
  add(command.add_flag("--trails", o.trails, "never visit a state twice in a walk"));
  add(command.add_flag("--end-at-loop", o.end_at_loop, "end a walk at the first state that it visits twice"));
  choice(
      "--restart", o.restart, kRestarts, "initial|previous|best",
      "where a walk starts: at the initial state (default), at a random state of the walk before, or at the best one "
      "so far");
  choice("--selection", o.selection, kSelections, "one|all",
         "try successors one by one, process by process (default), or choose among all");
  choice("--bias", o.bias, kBiases, "linear|softmax|greedy", "how estimates decide in guided walks (default: softmax)");
  add(command.add_option("--temperature", o.temperature, "of softmax: the lower, the greedier"))
      ->type_name("T")
      ->capture_default_str();
  add(command.add_flag("--reverse-bias", o.reverse, "prefer successors that look far from the goal"));
  add(command.add_option("--delta", o.delta,
                         "with --epsilon: enough walks for a probability below D that a share of at least E of all "
                         "walks finds an error"))
      ->type_name("D")
      ->check(share);
  add(command.add_option("--epsilon", o.epsilon, "see --delta"))->type_name("E")->check(share);
  add(command.add_option("--saturation", o.saturation,
                         "give up when less than this share of the states seen lately is new"))
      ->type_name("S")
      ->check(share);
  add(command.add_option("--threads", o.threads, "walk so many ways at the same time"))
      ->type_name("N")
      ->capture_default_str();
}

}  // namespace harrier::cli
