#include "model/formula.h"

namespace harrier::model {

bool is_shown_by_a_path(const Formula& formula) {
  std::vector<bool> about_states(formula.size());
  std::vector<bool> shown(formula.size());
  for (size_t i = 0; i < formula.size(); ++i) {
    const FormulaNode& node = formula[i];
    const bool both_shown = shown[node.a] && shown[node.b];
    switch (node.kind) {
      case FormulaKind::State: about_states[i] = shown[i] = true; break;
      case FormulaKind::And:
        about_states[i] = about_states[node.a] && about_states[node.b];
        shown[i] = both_shown && (about_states[node.a] || about_states[node.b]);
        break;
      case FormulaKind::Or:
        about_states[i] = about_states[node.a] && about_states[node.b];
        shown[i] = both_shown;
        break;
      case FormulaKind::SomeNext: shown[i] = shown[node.a]; break;
      case FormulaKind::SomeUntil:
      case FormulaKind::SomeWeak: shown[i] = about_states[node.a] && shown[node.b]; break;
      case FormulaKind::AllNext:
      case FormulaKind::AllUntil:
      case FormulaKind::AllWeak: break;
    }
  }
  return !formula.empty() && shown.back();
}

}  // namespace harrier::model
