#include "harrier/libraries.h"

#include <bdd.h>
#include <fmt/format.h>
#include <z3.h>

#include <pugixml.hpp>

namespace harrier {

std::vector<std::pair<std::string, std::string>> libraries() {
  unsigned major = 0, minor = 0, build = 0, revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  const int bdd = bdd_versionnum();
  return {{"Z3", fmt::format("{}.{}.{}", major, minor, build)},
          {"BuDDy", fmt::format("{}.{}", bdd / 10, bdd % 10)},
          {"pugixml", fmt::format("{}.{}", PUGIXML_VERSION / 1000, PUGIXML_VERSION % 1000 / 10)},
          {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)}};
}

}  // namespace harrier
