#include "lang/smv/frontend.h"

#include <utility>

#include "lang/smv/smv.h"

namespace harrier::smv {

namespace {

class Text : public lang::Document {
 public:
  Text(std::shared_ptr<const lang::Instance> machine, std::string warnings)
      : Document(std::move(warnings)), machine_(std::move(machine)) {}

  std::shared_ptr<const lang::Instance> instance(size_t, const lang::Instance*, const Watch&) const override {
    return machine_;
  }

 private:
  std::shared_ptr<const lang::Instance> machine_;
};

std::shared_ptr<const lang::Document> read(lang::Input input, const Watch& watch) {
  Diagnostics diagnostics(watch);
  Loaded loaded = load(std::move(input.text), input.name, "main", diagnostics);
  std::string warnings = lang::settle(loaded.system->sources, diagnostics);
  auto machine = std::make_shared<lang::Instance>(std::move(loaded.system), std::move(loaded.properties));
  return std::make_shared<Text>(std::move(machine), std::move(warnings));
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
