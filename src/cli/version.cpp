#include "cli/version.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cli/commit.h"  // made by cmake/commit.cmake
#include "harrier/libraries.h"
#include "harrier/version.h"

namespace harrier::cli {

std::string version_text() {
  std::string out = "harrier " HARRIER_VERSION;
  if (!std::string_view(HARRIER_COMMIT).empty()) out += " (commit " HARRIER_COMMIT ")";
  out += "\nlibraries:";
  for (const auto& [name, version] : libraries()) out += fmt::format(" {} {},", name, version);
  return out + fmt::format(" CLI11 {}, nlohmann-json {}.{}.{}", CLI11_VERSION, NLOHMANN_JSON_VERSION_MAJOR,
                           NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH);
}

}  // namespace harrier::cli
