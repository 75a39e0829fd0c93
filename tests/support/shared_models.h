// Models that are not part of the project, but may lie beside it (../shared/models). A test that needs them says so,
// and is skipped where they are not:
//
//     HARRIER_NEEDS_SHARED("dmc");
//     Model::load_file(shared_model("dmc/arbiter/A2.xml"));
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace harrier::testing_support {

inline std::string shared_model(const std::string& name) {
  return (std::filesystem::path(HARRIER_SOURCE_DIR).parent_path() / "shared" / "models" / name).string();
}

}  // namespace harrier::testing_support

#define HARRIER_NEEDS_SHARED(name)                                              \
  if (!std::filesystem::exists(::harrier::testing_support::shared_model(name))) \
  GTEST_SKIP() << "needs ../shared/models/" name ", which is not beside the project"
