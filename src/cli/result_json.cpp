#include "cli/result_json.h"

#include <nlohmann/json.hpp>

#include "cli/result_text.h"
#include "harrier/version.h"

namespace harrier::cli {

namespace {

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json to_json(const std::optional<Extremum>& e) {
  if (!e) return nullptr;
  return {{"value", e->infinite ? Json(nullptr) : Json(e->value)}, {"strict", e->strict}, {"infinite", e->infinite}};
}

Json to_json(const CheckResult& r) {
  const Statistics& s = r.statistics;
  Json out = {{"expanded", s.expanded},   {"generated", s.generated}, {"stored", s.stored},
              {"transient", s.transient}, {"time_s", s.time_s},       {"memory_bytes", s.memory_bytes}};
  if (s.state_bits != 0) {
    out["state_bits"] = s.state_bits;
    out["forgotten"] = s.forgotten;
  }
  if (s.native_s != 0) out["native_s"] = s.native_s;
  if (s.interchangeable != 0) out["interchangeable"] = s.interchangeable;
  if (s.evaluated != 0) {
    Json queues = Json::array();
    for (const Statistics::Queue& q : s.queues) queues.push_back({{"pushed", q.pushed}, {"popped", q.popped}});
    out["evaluated"] = s.evaluated;
    out["dead_ends"] = s.dead_ends;
    out["deferred_expanded"] = s.deferred_expanded;
    out["queues"] = queues;
  }
  if (s.peak_nodes != 0) {
    if (s.walks == 0) out["states"] = s.states;
    if (s.layers != 0) out["layers"] = s.layers;
    out["images"] = s.images;
    out["peak_nodes"] = s.peak_nodes;
  }
  if (s.walks != 0) {
    out["walks"] = s.walks;
    out["steps"] = s.steps;
    out["steps_per_s"] = steps_per_second(s);
    if (r.witness_length) out["walk_length"] = s.walk_length;
  }
  return out;
}

Json to_json(const Answer& answer, bool witness) {
  Json out;
  out["number"] = answer.number;
  if (!answer.property.name.empty()) out["name"] = answer.property.name;
  out["property"] = answer.property.text;
  if (!answer.property.comment.empty()) out["comment"] = answer.property.comment;
  const CheckResult none;
  const CheckResult& r = answer.result ? *answer.result : none;
  out["verdict"] = verdict_name(r.verdict);
  out["holds"] = or_null(r.holds);
  if (!answer.expected.empty()) {
    out["expected"] = answer.expected;
    out["as_expected"] = answer.as_expected;
  }
  if (answer.failure) {
    out["error"] = to_json(*answer.failure);
    return out;
  }
  out["witness_length"] = or_null(r.witness_length);
  if (r.witness_cost) {
    out["witness_cost"] = *r.witness_cost;
    out["cheapest"] = r.cheapest ? Json(true) : Json(nullptr);
  }
  if (r.loop_start) out["loop_start"] = *r.loop_start;
  if (!r.rest.empty()) out["rest"] = r.rest;
  if (r.verdict == Verdict::Computed) {
    out["values"] = Json::array();
    for (const TermValues& v : r.values) {
      out["values"].push_back({{"term", v.term}, {"inf", to_json(v.inf)}, {"sup", to_json(v.sup)}});
    }
  }
  out["shortest"] = r.shortest ? Json(true) : Json(nullptr);
  out["validated"] = r.witness_length ? Json(true) : Json(nullptr);
  if (r.verdict == Verdict::Unknown) out["reason"] = r.reason;
  if (r.verdict == Verdict::Failed) out["failure"] = r.failure;
  out["warnings"] = r.warnings;
  out["search"] = r.search;
  if (!r.search_reason.empty()) out["search_reason"] = r.search_reason;
  out["statistics"] = to_json(r);
  if (!r.abstractions.empty()) {
    out["abstractions"] = Json::array();
    for (const AbstractionReport& report : r.abstractions) out["abstractions"].push_back(cli::to_json(report));
  }
  if (witness && r.witness_length) out["witness"] = Json::parse(r.trace_json);
  return out;
}

Json head(const std::string& command) {
  return {{"schema", command == "analyse" ? "harrier-analysis/1" : "harrier-result/1"}, {"version", HARRIER_VERSION}};
}

}  // namespace

Json to_json(const Failure& failure) { return {{"kind", failure.kind_name()}, {"text", failure.text}}; }

Json to_json(const AbstractionReport& report) {
  Json details = Json::array();
  for (const auto& [title, text] : report.details) details.push_back({{"title", title}, {"text", text}});
  return {
      {"heuristic", report.heuristic}, {"time_s", report.seconds}, {"states", report.states}, {"bytes", report.bytes},
      {"proved", report.proved},       {"loaded", report.loaded},  {"details", details}};
}

std::string printed(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_json(const ResultDocument& d) {
  Json out = head("check");
  out["model"] = d.model;
  out["options"] = Json::object();
  for (const auto& [name, values] : d.options) {
    out["options"][name] = values.empty() ? Json(true) : values.size() == 1 ? Json(values[0]) : Json(values);
  }
  out["seed"] = d.seed;
  if (!d.warnings.empty()) out["warnings"] = d.warnings;
  if (!d.translation.seconds.empty()) {
    for (const auto& [name, count] : d.translation.sizes) out["translation"][name] = count;
    for (const auto& [name, seconds] : d.translation.seconds) out["translation"][name + "_s"] = seconds;
  }
  out["exit_code"] = d.exit_code;
  if (d.failure) out["error"] = to_json(*d.failure);
  out["results"] = Json::array();
  for (const Answer& answer : d.answers) out["results"].push_back(to_json(answer, d.witnesses));
  return printed(out);
}

std::string error_document(const std::string& command, const Failure& failure, int exit_code) {
  Json out = head(command);
  if (!command.empty()) out["command"] = command;
  out["exit_code"] = exit_code;
  out["error"] = to_json(failure);
  out["results"] = Json::array();
  return printed(out);
}

}  // namespace harrier::cli
