// Traces as texts, for those outside.
#include <stdexcept>

#include "api/watching.h"
#include "base/watch.h"
#include "harrier/version.h"
#include "lang/frontend.h"
#include "trace/description.h"
#include "trace/json.h"
#include "trace/page.h"
#include "trace/sequence_chart.h"
#include "trace/text_writer.h"

namespace harrier {

namespace {

const lang::Instance& origin_of(const Trace& trace) {
  if (!trace.origin.instance) throw std::invalid_argument("this trace was not handed out by a model");
  return *trace.origin.instance;
}

}  // namespace

std::string to_text(const Trace& trace) { return trace::to_text(origin_of(trace).system(), trace); }
std::string to_json(const Trace& trace) { return trace::to_json(origin_of(trace).system(), trace); }
std::string to_chart(const Trace& trace, ChartForm form) {
  return trace::to_sequence_chart(origin_of(trace).system(), trace, form);
}
std::string to_trail(const Trace& trace) { return origin_of(trace).trail(trace::path_of(trace)); }

std::string to_page(const Trace& trace, const CheckOptions& limits) {
  const lang::Instance& instance = origin_of(trace);
  const Watch watch(api::bounds_of(limits, resident_bytes()));
  return trace::to_page(instance.system(), instance.drawing(), trace, {{"written by", "Harrier " HARRIER_VERSION}},
                        watch);
}

}  // namespace harrier
