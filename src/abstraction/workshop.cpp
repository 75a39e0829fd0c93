#include "abstraction/workshop.h"

#include <utility>

#include "base/hash.h"
#include "model/printer.h"

namespace harrier::abstraction {

namespace {

constexpr std::string_view kMark = "harrier-abstraction\n";
constexpr uint64_t kVersion = 1;

}  // namespace

uint64_t fingerprint(const model::System& system, const std::vector<model::Clause>& goal, CostType costs) {
  std::string text = model::to_text(system);
  for (const model::Clause& clause : goal) text += "\n" + model::to_text(system, clause);
  if (costs == CostType::PlusOne) text += "\ncosts and one";
  if (costs == CostType::Real) text += "\ncosts";
  return hash_text(text);
}

Stock::Stock(std::string_view bytes, std::string name) : name_(std::move(name)) {
  ArchiveReader whole(bytes, name_);
  if (bytes.substr(0, kMark.size()) != kMark) whole.fail("it is no file of abstractions (--save-abstraction)");
  bytes.remove_prefix(kMark.size());
  ArchiveReader in(bytes, name_);
  if (const uint64_t version = in.number(); version != kVersion) {
    in.fail("it has version " + std::to_string(version) + " of the format, and this program reads version " +
            std::to_string(kVersion));
  }
  const std::string_view content = in.text();
  if (in.number() != hash_text(content) || !in.at_end()) in.fail("it is damaged: the checksum does not fit");
  ArchiveReader items(content, name_);
  while (!items.at_end()) {
    Item item;
    item.heuristic = items.text();
    item.fingerprint = items.number();
    item.bytes = items.text();
    items_.push_back(std::move(item));
  }
}

void Stock::add(const std::string& heuristic, uint64_t fingerprint, std::string bytes) {
  std::erase_if(items_, [&](const Item& i) { return i.heuristic == heuristic && i.fingerprint == fingerprint; });
  items_.push_back({heuristic, fingerprint, std::move(bytes)});
}

std::string_view Stock::find(const std::string& heuristic, uint64_t fingerprint) const {
  bool known = false;
  for (const Item& item : items_) {
    if (item.heuristic != heuristic) continue;
    if (item.fingerprint == fingerprint) return item.bytes;
    known = true;
  }
  const ArchiveReader file("", name_);
  if (known) file.fail("its abstraction for '" + heuristic + "' was built for another model or property");
  std::string names;
  for (const Item& item : items_) names += (names.empty() ? "" : ", ") + item.heuristic;
  file.fail("it has no abstraction for '" + heuristic + "', only for: " + (names.empty() ? "nothing" : names));
}

std::string Stock::to_bytes() const {
  ArchiveWriter items;
  for (const Item& item : items_) {
    items.text(item.heuristic);
    items.number(item.fingerprint);
    items.text(item.bytes);
  }
  ArchiveWriter out;
  out.number(kVersion);
  out.text(items.bytes());
  out.number(hash_text(items.bytes()));
  return std::string(kMark) + out.bytes();
}

}  // namespace harrier::abstraction
