// Where results and remarks go: standard output and files, with every failure noticed; standard error, where none
// matters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harrier/trace.h"

namespace harrier::cli {

// Opens standard streams that are closed on nothing, so that no file takes their numbers: what is written to them must
// not end up in it.
void guard_streams();

// Writes a result to standard output. Throws Error(Input) if that fails (a full disk, a closed pipe).
void write_result(const std::string& text);
// Writes a file as a whole; a failure leaves no half-written file behind under its name.
void write_file(const std::string& path, const std::string& text);
// A remark on standard error. That it cannot be written is no reason to lose a result.
void note(const std::string& text);

// A file that an option names.
struct OutputFile {
  std::string option;
  std::string path;
};

// Who reads a chart of this name: PlantUML has suffixes of its own.
ChartForm chart_form(std::string_view file);

// Throws if one of them cannot be written, is one of the inputs or the file of another option: before the work is done.
void check_outputs(const std::vector<OutputFile>& outputs, const std::vector<std::string>& inputs);

}  // namespace harrier::cli
