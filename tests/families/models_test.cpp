// The examples under models/ have the answers that models/README.md gives.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "harrier/harrier.h"

namespace harrier {
namespace {

// Of every property: the length of a shortest witness, or nothing if there is none.
std::vector<std::optional<uint64_t>> witnesses(const Model& model) {
  std::vector<std::optional<uint64_t>> lengths;
  for (size_t i = 0; i < model.property_count(); ++i) {
    const CheckResult result = model.check(i, {});
    EXPECT_NE(result.verdict, Verdict::Unknown) << result.property;
    lengths.push_back(result.witness_length);
  }
  return lengths;
}

using Lengths = std::vector<std::optional<uint64_t>>;

const std::string kModels = HARRIER_SOURCE_DIR "/models/";

TEST(Models, FischerFaulty) {
  Model model = Model::load_file(kModels + "fischer-faulty.xta");
  model.add_query_file(kModels + "fischer-faulty.q");
  EXPECT_EQ(model.warnings(), "");
  EXPECT_EQ(witnesses(model), (Lengths{6}));
}

TEST(Models, Bridge) {
  Model model = Model::load_file(kModels + "bridge.xta");
  model.add_query_file(kModels + "bridge.q");
  EXPECT_EQ(model.warnings(), "");
  EXPECT_EQ(witnesses(model), (Lengths{16, {}}));
}

TEST(Models, TrainGate) {
  const Model model = Model::load_file(kModels + "train-gate.xml");
  EXPECT_EQ(model.warnings(), "");
  EXPECT_EQ(witnesses(model), (Lengths{{}, 6, {}}));
}

}  // namespace
}  // namespace harrier
