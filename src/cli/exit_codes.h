// The exit codes of the program, stable.
#pragma once

namespace harrier::cli {

enum ExitCode : int {
  kProved = 0,         // every property was decided and no witness was found
  kUnexpected = 1,     // with --expect: a verdict is not the expected one
  kBadInput = 2,       // bad usage or input, or the model fails at run time
  kUnsupported = 3,    // a feature that is understood but refused
  kWitness = 10,       // a witness was found
  kInconclusive = 20,  // no witness, and a limit was hit or the search is incomplete
  kInternal = 70,      // a bug in Harrier
};

inline constexpr const char* kExitCodes =
    "Exit codes: 0 decided, no witness found; 10 witness found; 20 inconclusive, a limit was reached; 2 bad usage or "
    "input, or the model fails at run time; 3 unsupported; 70 internal error. Of several properties the worst counts: "
    "70, 2, 3, 10, 20, 0. With --expect: 0 if all verdicts are as expected, else 1.";

}  // namespace harrier::cli
