#include "lang/smv/frontend.h"

#include <utility>
#include <vector>

#include "lang/smv/smv.h"

namespace harrier::smv {

namespace {

// Can make more systems of the model.
class Source : public lang::Instance {
 public:
  Source(Machine machine, Origin origin)
      : Instance(std::move(machine.system), std::move(machine.properties)), origin_(std::move(origin)) {}

  std::shared_ptr<const lang::Instance> fairly(size_t property, const Watch& watch) const override {
    Machine machine = fair_machine(origin_, properties()[property].rank, watch);
    return std::make_shared<lang::Instance>(std::move(machine.system), std::move(machine.properties));
  }
  const Origin& origin() const { return origin_; }

 private:
  Origin origin_;
};

class Text : public lang::Document {
 public:
  Text(std::vector<std::shared_ptr<const lang::Instance>> machines, std::string warnings)
      : Document(std::move(warnings)), machines_(std::move(machines)) {}

  size_t instances() const override { return machines_.size(); }
  std::shared_ptr<const lang::Instance> instance(size_t number, const lang::Instance*, const Watch&) const override {
    return machines_[number];
  }
  std::shared_ptr<const lang::Instance> with_condition(const lang::Instance& instance, std::string text,
                                                       const Watch& watch) const override {
    if (&instance != machines_.front().get()) {
      throw Error(ErrorKind::Unsupported, "unsupported: a condition while a specification watches the model");
    }
    Diagnostics diagnostics(watch);
    Machine machine =
        machine_with_condition(dynamic_cast<const Source&>(instance).origin(), std::move(text), diagnostics);
    lang::settle(machine.system->sources, diagnostics);
    return std::make_shared<lang::Instance>(std::move(machine.system), std::move(machine.properties));
  }

 private:
  std::vector<std::shared_ptr<const lang::Instance>> machines_;
};

std::shared_ptr<const lang::Document> read(lang::Input input, const Watch& watch) {
  Diagnostics diagnostics(watch);
  Loaded loaded = load(std::move(input.text), input.name, "main", diagnostics);
  std::string warnings = lang::settle(loaded.first().system->sources, diagnostics);
  std::vector<std::shared_ptr<const lang::Instance>> machines;
  for (Machine& machine : loaded.machines) {
    machines.push_back(std::make_shared<Source>(std::move(machine), loaded.origin));
  }
  return std::make_shared<Text>(std::move(machines), std::move(warnings));
}

}  // namespace

lang::Frontend frontend() {
  return {.info = {.name = "smv",
                   .title = "SMV",
                   .summary = "models for NuSMV, finite ones, as NuSMV 2.6 reads them",
                   .suffixes = {".smv"}},
          .signs = {.words = {"MODULE"}},
          .load = read};
}

}  // namespace harrier::smv
