// Gives the declarations of a model the same few names, wherever UPPAAL's scopes allow it: a name means the innermost
// declaration before its use. So an inner declaration may take the name of an outer one that is used before it, but not
// of one that is used in what remains of its scope.
#pragma once

#include "random/rng.h"
#include "random/ta_model.h"

namespace harrier::testing_support {

// `percent` of the declarations try to get a name that others may have, too.
void share_names(TaModel& model, Rng& rng, int percent);

// Whether every use finds the declaration that the model means.
bool names_are_right(const TaModel& model);

}  // namespace harrier::testing_support
