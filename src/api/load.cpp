// Reading models and their queries.
#include <algorithm>
#include <utility>

#include "api/data.h"
#include "api/watching.h"
#include "base/file.h"
#include "lang/table.h"
#include "model/printer.h"
#include "search/search.h"
#include "trace/trace.h"
#include "transform/simplified.h"

namespace harrier {

using model::Property;
using model::PropertyKind;

namespace api {

const Property& Data::usable(const lang::Instance& instance, size_t number) const {
  const Property& property = instance.properties()[place(number).number];
  if (property.refusal) throw Error(property.refusal->kind, property.refusal->text);
  return property;
}

}  // namespace api

namespace {

using api::Data;
using api::InstancePtr;
using api::Part;

constexpr uint64_t kProbedStates = 2000;

// With what is found missing soon, so that the first real search need not find that out.
InstancePtr refined_ahead(InstancePtr instance, const Watch& watch) {
  while (instance->may_be_incomplete()) {
    const auto& all = instance->properties();
    const auto asked = std::find_if(all.begin(), all.end(), [](const Property& p) { return !p.refusal; });
    if (asked == all.end()) break;
    const std::optional<model::Path> path = search::probe(instance->system(), *asked, kProbedStates, watch);
    if (!path || !model::is_incomplete(*asked, *path)) break;
    const trace::Trace trace = trace::build_trace(instance->system(), *asked, *path, watch);
    instance = instance->refined(trace.last().values, watch);
  }
  return instance;
}

PropertyInfo to_info(const Property& p, bool plan) {
  const bool infinite = p.kind == PropertyKind::Liveness || p.kind == PropertyKind::Branching ||
                        p.kind == PropertyKind::PotentiallyAlways || p.kind == PropertyKind::Eventually ||
                        p.kind == PropertyKind::LeadsTo;
  return {p.text, p.name, p.comment, p.expected, infinite, plan};
}

// All systems of a document.
void take_over(api::Data& data, std::shared_ptr<const lang::Document> document, const Watch& watch) {
  data.document = std::move(document);
  data.parts.clear();
  data.places.clear();
  data.properties.clear();
  InstancePtr last;
  for (size_t i = 0; i < data.document->instances(); ++i) {
    last = refined_ahead(data.document->instance(i, last.get(), watch), watch);
    data.parts.push_back(std::make_shared<const Part>(last));
    for (size_t p = 0; p < last->properties().size(); ++p) data.places.push_back({data.parts.back().get(), p});
  }
  const auto property = [](const api::PropertyPlace& place) -> const Property& {
    return place.part->now()->properties()[place.number];
  };
  std::stable_sort(
      data.places.begin(), data.places.end(),
      [&](const api::PropertyPlace& a, const api::PropertyPlace& b) { return property(a).rank < property(b).rank; });
  const bool plan = data.frontend->info.plan;
  for (const api::PropertyPlace& place : data.places) data.properties.push_back(to_info(property(place), plan));
  data.files.clear();
  const Sources& sources = data.parts.front()->now()->system().sources;
  for (uint32_t i = 0; i < sources.file_count(); ++i) data.files.push_back(sources.file_name(i));
}

std::string no_queries(const LanguageInfo& info) {
  return info.title + ", whose models take no queries" + (info.properties.empty() ? "" : ", but " + info.properties);
}

// The model with the queries of a text.
std::shared_ptr<Data> with_queries(const Data& model, std::string text, const std::string& name, const Watch& watch) {
  const LanguageInfo& info = model.frontend->info;
  if (!info.queries) throw Error(ErrorKind::Usage, "'" + name + "': the model is one of " + no_queries(info));
  auto data = std::make_shared<Data>(model);
  take_over(*data, model.document->with_queries(std::move(text), name, watch), watch);
  data->warnings += data->document->warnings();
  return data;
}

std::shared_ptr<Data> load(std::string text, const std::string& name, const LoadOptions& options, const Watch& watch) {
  auto data = std::make_shared<api::Data>();
  data->frontend = &lang::find_frontend(options.language, text, name);
  const LanguageInfo& info = data->frontend->info;
  lang::check_options(*data->frontend, options.options, name);
  const std::string& second = options.second_file;
  const bool companion = !info.companion.empty();
  if (!second.empty() && !companion && !info.queries) {
    throw Error(ErrorKind::Usage, "'" + second + "': '" + name + "' is one of " + no_queries(info));
  }
  lang::Input input{std::move(text), name, options.options};
  if (!second.empty() && companion) input.companion = {read_whole(second, watch), second};
  take_over(*data, data->frontend->load(std::move(input), watch), watch);
  data->warnings = data->document->warnings();
  data->translation = data->document->translation();
  // Nothing can happen in a model without processes, which is rarely meant.
  if (data->parts.front()->now()->system().processes.empty()) {
    data->warnings += name + ": warning: the model has no process\n";
  }
  if (second.empty() || companion) return data;
  return with_queries(*data, read_whole(second, watch), second, watch);
}

}  // namespace

std::string read_file(const std::string& path, const LoadOptions& limits) {
  return read_whole(path, Watch(api::bounds_of(limits, resident_bytes())));
}

Model Model::load_file(const std::string& path, const LoadOptions& options) {
  const uint64_t bytes_before = resident_bytes();
  const Watch watch(api::bounds_of(options, bytes_before));
  try {
    const auto data = load(read_whole(path, watch), path, options, watch);
    data->bytes_before = bytes_before;
    data->load_seconds = watch.seconds();
    return Model(data);
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::Limit) throw;
    throw Error(ErrorKind::Limit, path + ": not loaded: " + e.what());
  }
}

Model Model::load_text(std::string text, const std::string& name, const LoadOptions& options) {
  const uint64_t bytes_before = resident_bytes();
  const Watch watch(api::bounds_of(options, bytes_before));
  const double start = watch.seconds();
  const auto data = load(std::move(text), name, options, watch);
  data->bytes_before = bytes_before;
  data->load_seconds = watch.seconds() - start;
  return Model(data);
}

void Model::add_query_file(const std::string& path, const LoadOptions& limits) {
  const Watch watch(api::bounds_of(limits, data_->bytes_before));
  data_ = with_queries(*data_, read_whole(path, watch), path, watch);
}

void Model::add_query(const std::string& query, const LoadOptions& limits) {
  const Watch watch(api::bounds_of(limits, data_->bytes_before));
  auto data = with_queries(*data_, query, "query", watch);
  if (data->properties.size() == property_count()) throw Error(ErrorKind::Input, "empty query");
  data_ = std::move(data);
}

const LanguageInfo& Model::language() const { return data_->frontend->info; }
bool Model::has_clocks() const { return api::Inside::first(*this)->system().clocks.size() > 1; }
const std::vector<std::string>& Model::files() const { return data_->files; }
double Model::load_seconds() const { return data_->load_seconds; }
size_t Model::property_count() const { return data_->properties.size(); }
const std::string& Model::property_text(size_t property) const { return data_->properties.at(property).text; }
PropertyInfo Model::property(size_t number) const { return data_->properties.at(number); }
const std::string& Model::warnings() const { return data_->warnings; }
const Translation& Model::translation() const { return data_->translation; }
std::string Model::print() const { return model::to_text(api::Inside::first(*this)->system()); }

std::string Model::print_simplified(size_t number, const LoadOptions& limits) const {
  const Watch watch(api::bounds_of(limits, data_->bytes_before));
  const api::InstancePtr instance = data_->place(number).part->now();
  const model::Property& property = data_->usable(*instance, number);
  return model::to_text(transform::simplified(instance->system(), property, search::forgets_for(property), watch));
}

std::string Model::sas(const LoadOptions& limits) const {
  if (!language().sas) {
    throw Error(ErrorKind::Usage, "'" + files().front() + "' is one of " + language().title +
                                      ", whose models are no planning tasks: they cannot be written as SAS+");
  }
  return api::Inside::first(*this)->sas(Watch(api::bounds_of(limits, data_->bytes_before)));
}

}  // namespace harrier
