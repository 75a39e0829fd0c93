#include "trace/page.h"

#include "trace/page_steps.h"
#include "trace/page_structure.h"
#include "trace/page_text.h"

namespace harrier::trace {

namespace {

// In JSON these characters stand in strings only, where a code means the same. Two of them end lines in JavaScript.
std::string harmless(const std::string& json) {
  std::string out;
  out.reserve(json.size() + json.size() / 16);
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '<') {
      out += "\\u003c";
    } else if (c == '>') {
      out += "\\u003e";
    } else if (c == '&') {
      out += "\\u0026";
    } else if (json.compare(i, 3, "\xe2\x80\xa8") == 0 || json.compare(i, 3, "\xe2\x80\xa9") == 0) {
      out += json[i + 2] == '\xa8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string to_page(const model::System& system, const model::Drawing& drawing, const Trace& trace,
                    const PageFacts& facts, const Watch& watch) {
  PageStructure structure(system, drawing, watch);
  PageSteps writer(system, trace, structure, watch);
  const std::string steps = writer.steps();
  PageJson page{{"format", "harrier-page/1"}};
  page["facts"] = PageJson::array();
  for (const auto& [title, text] : facts) page["facts"].push_back(PageJson::array({title, text}));
  writer.add_to(page);
  structure.add_to(page);
  std::string data = page.dump(-1, ' ', false, PageJson::error_handler_t::replace);
  data.back() = ',';
  data += "\n\"steps\": " + steps + "}";
  std::string out(kPageBeforeData);
  out += harmless(data);
  out += kPageBehindData;
  return out;
}

}  // namespace harrier::trace
