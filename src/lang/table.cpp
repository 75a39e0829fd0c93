#include "lang/table.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/suggest.h"
#include "lang/pddl/frontend.h"
#include "lang/promela/frontend.h"
#include "lang/smv/frontend.h"
#include "lang/uppaal/frontend.h"

namespace harrier::lang {

// A text that nothing tells anything about is one of the first language.
std::span<const Frontend> frontends() {
  static const Frontend table[] = {
      uppaal::frontend(), promela::frontend(), smv::frontend(), pddl::frontend(), pddl::sas_frontend(),
  };
  return table;
}

const Frontend& find_frontend(const std::string& language, std::string_view text, const std::string& name) {
  const std::span<const Frontend> all = frontends();
  if (language != "auto") {
    std::vector<std::string> names{"auto"};
    for (const Frontend& f : all) {
      if (f.info.name == language) return f;
      names.push_back(f.info.name);
    }
    const std::string hint = suggestion(language, names);
    throw Error(ErrorKind::Usage, "unknown language '" + language + "'" + (hint.empty() ? "" : "; " + hint));
  }
  const std::string suffix = std::filesystem::path(name).extension().string();
  for (const Frontend& f : all) {
    if (std::find(f.info.suffixes.begin(), f.info.suffixes.end(), suffix) != f.info.suffixes.end()) return f;
  }
  std::vector<Signs> signs;
  for (const Frontend& f : all) signs.push_back(f.signs);
  return all[first_sign(text, signs).value_or(0)];
}

void check_options(const Frontend& frontend, const LanguageOptions& options, const std::string& name) {
  for (const auto& [option, value] : options) {
    const auto is_it = [&, &wanted = option](const LanguageOption& o) { return o.name == wanted; };
    const auto& known = frontend.info.options;
    const auto entry = std::find_if(known.begin(), known.end(), is_it);
    if (entry != known.end()) {
      for (const std::string& other : entry->excludes) {
        if (!is_given(options, other)) continue;
        throw Error(ErrorKind::Usage,
                    entry->needs.empty() ? option + " excludes " + other : option + " needs " + entry->needs);
      }
      continue;
    }
    for (const Frontend& f : frontends()) {
      if (std::none_of(f.info.options.begin(), f.info.options.end(), is_it)) continue;
      throw Error(ErrorKind::Usage,
                  option + " is for " + f.info.title + " models; '" + name + "' is one of " + frontend.info.title);
    }
    throw Error(ErrorKind::Usage, frontend.info.title + " models have no option '" + option + "'");
  }
}

}  // namespace harrier::lang
