// Counts how deeply the recursive-descent parser is nested and refuses input that would exhaust the stack.
#pragma once

#include "lang/uppaal/parser.h"

namespace harrier::uppaal {

class Parser::Nesting {
 public:
  explicit Nesting(Parser& parser, const char* what = "expression") : parser_(parser) {
    if (parser_.depth_ >= kMaxDepth) parser_.fail(parser_.peek().at, std::string(what) + " nested too deeply");
    ++parser_.depth_;
  }
  ~Nesting() { --parser_.depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  Parser& parser_;
};

}  // namespace harrier::uppaal
