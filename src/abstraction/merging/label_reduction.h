// Exact generalized label reduction (Sievers, Wehrle and Helmert 2014).
//
// Labels of the same cost that have the same arcs in all factors but one can be told apart in that one alone: they
// become one label, with the arcs of all of them there. Distances in the product of all factors stay as they are, and
// there is less to multiply and more that is bisimilar.
#pragma once

#include "abstraction/allowance.h"
#include "abstraction/merging/factored_system.h"

namespace harrier::abstraction {

// Repeated for every factor until nothing changes or time is up. The system must be settled, and is again afterwards.
void reduce_labels(FactoredSystem& system, Allowance& allowance);

}  // namespace harrier::abstraction
