// Claims about infinite behaviour: never claims as they stand in the text, and formulas turned into never claims.
//
// A claim describes what must never happen. It watches the system: it makes a step before every step of the system, and
// when it comes to its end, or to a label that starts with `end`, or passes accept labels for ever, there is an error.
#pragma once

#include <memory>
#include <string>

#include "base/source.h"
#include "lang/promela/ast.h"

namespace harrier::promela {

struct Claim {
  std::string text;                          // for the reader: "ltl p { [] q }"
  std::string name;                          // empty: it has none
  const ProctypeNode* node = nullptr;        // null: there is no claim
  std::shared_ptr<const ProctypeNode> made;  // from a formula; then it is the node
  bool stutters = true;                      // it goes on where the system stands still

  bool exists() const { return node != nullptr; }
};

// Reports statements that a claim must not have, because it may only look.
Claim never_claim(const ProctypeNode& node, Diagnostics& diagnostics);
// The claim of the negation of a formula; the name may be empty.
Claim ltl_claim(const ExprNode& formula, const std::string& name, Diagnostics& diagnostics);
// A cycle in which no process is at a progress label. To stand still is no cycle.
Claim non_progress_claim();

}  // namespace harrier::promela
