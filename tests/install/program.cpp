#include <harrier/harrier.h>
#include <harrier/version.h>

#include <iostream>

int main() {
  try {
    harrier::Model model = harrier::Model::load_text(
        "int n; process P() { state a, b; init a; trans a -> a { guard n < 3; assign n++; }, a -> b { guard n == 2; }; "
        "}"
        "system P;",
        "small.xta");
    model.add_query("A[] not P.b");
    const harrier::CheckResult result = model.check(0, {});
    std::cout << "harrier " << HARRIER_VERSION << ": " << result.trace->steps.size() << " steps to the error\n";
    for (const harrier::Trace::Step& step : result.trace->steps) {
      for (const harrier::Trace::Firing& f : step.edges) {
        std::cout << f.process << ": " << f.source << " -> " << f.target << "\n";
      }
    }
    std::cout << to_text(*result.trace);
  } catch (const harrier::Error& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
