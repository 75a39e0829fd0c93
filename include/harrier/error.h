// The one family of exceptions that the library throws. The command line maps each kind to an exit code.
#pragma once

#include <stdexcept>
#include <string>

namespace harrier {

enum class ErrorKind {
  Usage,        // wrong option or argument                        exit code 2
  Input,        // a model, query or trace that is not well formed exit code 2
  Runtime,      // the model itself fails: index out of bounds, …  exit code 2
  Unsupported,  // understood, but refused                         exit code 3
  Limit,        // a limit was reached before what was needed was found  exit code 20
  Internal,     // a bug in Harrier                                exit code 70
};

// `what()` is complete and ready to be shown, one or several lines without a final newline.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace harrier
