// Branch points: an edge that leads to one goes on along one of the edges that leave it, in the same step.
//
//     A -> b { guard g; sync c!; assign u; },  b -> B { assign v; probability 2; },  b -> C { probability 1; }
//
// is   A -> B { guard g; sync c!; assign u, v; },  A -> C { guard g; sync c!; assign u; }
//
// Which branch is taken is left open; the weights say how likely each is, and each must be possible.
#pragma once

#include "lang/uppaal/ast.h"

namespace harrier::uppaal {

// Replaces the edges of a template that pass branch points.
void join_branches(TemplateNode& process, Diagnostics& diagnostics);

}  // namespace harrier::uppaal
