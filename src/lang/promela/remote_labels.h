// Labels that expressions refer to from outside, as P@L. Such a label names a state even where it stands on a jump:
// Spin then makes a statement of the jump that does nothing, and jumps after it.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "lang/promela/ast.h"

namespace harrier::promela {

using RemoteLabels = std::set<std::pair<std::string, std::string>>;  // proctype and label

void add_remote_labels(const ExprNode& expr, RemoteLabels& out);
// Of the statement itself, not of those inside it.
void add_remote_labels(const StmtNode& stmt, RemoteLabels& out);
void add_remote_labels(const Sequence& sequence, RemoteLabels& out);
void add_remote_labels(const ModelNode& model, RemoteLabels& out);

}  // namespace harrier::promela
