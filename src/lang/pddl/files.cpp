#include "lang/pddl/files.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/file.h"
#include "lang/pddl/parser.h"

namespace harrier::pddl {

namespace {

using lang::Companion;

const char* name_of(FileKind kind) { return kind == FileKind::Domain ? "domain" : "problem"; }

// A file that says nothing is what is missing: the parser tells what is wrong with it.
TaskFiles told_apart(Companion a, Companion b) {
  const FileKind kind_a = kind_of(a.text);
  const FileKind kind_b = kind_of(b.text);
  if (kind_a == kind_b && kind_a != FileKind::Unknown) {
    const std::string kind = name_of(kind_a);
    throw Error(ErrorKind::Usage, "'" + a.name + "' and '" + b.name + "' are both a " + kind +
                                      ": a planning task is a domain and a problem");
  }
  if (kind_a == FileKind::Problem || kind_b == FileKind::Domain) std::swap(a, b);
  return {std::move(a), std::move(b)};
}

Companion domain_of(const std::string& problem, const Watch& watch) {
  const std::vector<std::string> names = domains_beside(problem);
  std::string looked_for;
  for (const std::string& name : names) {
    looked_for += (looked_for.empty() ? "'" : ", '") + std::filesystem::path(name).filename().string() + "'";
    std::error_code error;
    if (!std::filesystem::is_regular_file(name, error)) continue;
    Companion found{read_whole(name, watch), name};
    if (kind_of(found.text) == FileKind::Domain) return found;
  }
  throw Error(ErrorKind::Usage, "no domain for '" + problem + "': there is none beside it (" + looked_for +
                                    "); give it as a second file, or by --domain FILE");
}

}  // namespace

TaskFiles find_files(lang::Input input, const std::string& domain, const Watch& watch) {
  Companion first{std::move(input.text), std::move(input.name)};
  if (!domain.empty()) {
    if (input.companion) {
      throw Error(ErrorKind::Usage, "--domain '" + domain + "' and two files, '" + first.name + "' and '" +
                                        input.companion->name + "': a planning task is a domain and a problem");
    }
    Companion given{read_whole(domain, watch), domain};
    if (kind_of(given.text) == FileKind::Problem) {
      throw Error(ErrorKind::Usage, "--domain '" + domain + "' is a problem, not a domain");
    }
    return told_apart(std::move(given), std::move(first));
  }
  if (input.companion) return told_apart(std::move(first), std::move(*input.companion));
  switch (kind_of(first.text)) {
    case FileKind::Problem: {
      Companion beside = domain_of(first.name, watch);
      return {std::move(beside), std::move(first)};
    }
    case FileKind::Domain:
      throw Error(ErrorKind::Usage, "'" + first.name + "' is a domain; its problem is missing: give both files");
    case FileKind::Unknown: break;
  }
  throw Error(ErrorKind::Input, first.name + ":1:1: error: expected '(define (domain …' or '(define (problem …'");
}

std::vector<std::string> domains_beside(const std::string& problem) {
  const std::filesystem::path path(problem);
  const std::filesystem::path folder = path.parent_path();
  const std::string stem = path.stem().string();
  const std::string suffix = path.extension().string();
  std::vector<std::string> out;
  const auto add = [&](const std::string& name) {
    std::string full = (folder / name).string();
    if (full != problem && std::find(out.begin(), out.end(), full) == out.end()) out.push_back(std::move(full));
  };
  add(stem + "-domain" + suffix);
  for (size_t dash = stem.rfind('-'); dash != std::string::npos && dash != 0; dash = stem.rfind('-', dash - 1)) {
    add(stem.substr(0, dash) + "-domain" + suffix);
  }
  for (const char* sign : {"_", "-"}) {
    add("domain" + (sign + stem) + suffix);
    add("domain" + (sign + stem));
  }
  add("domain" + suffix);
  add("domain.pddl");
  return out;
}

}  // namespace harrier::pddl
