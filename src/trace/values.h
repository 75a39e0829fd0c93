// Values as a reader knows them: by their names, and messages as the content of a channel.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/system.h"

namespace harrier::trace {

using Values = std::vector<int32_t>;

// The number of the location that a process is in.
size_t location_of(const model::Process& process, const Values& values);
// Whether a process runs: one that starts and ends does not always.
bool runs(const model::Process& process, const Values& values);
// Whether a process ends with an edge of it.
bool ends_process(const model::System& system, model::EdgeId edge);

// "3", or the name of the value.
std::string value_text(const model::System& system, model::VarId variable, const Values& values);

// The messages in a queue, oldest first: "one(3)", or "1, 2" without a name in front.
std::vector<std::string> messages(const model::System& system, const model::Queue& queue, const Values& values);

// The name of a variable as a line about a process shows it: without the name of the process.
std::string local_name(const std::string& name, const std::string& process);

// Whether a name is that of a local variable or channel of the process.
bool belongs_to(const std::string& name, const std::string& process);

}  // namespace harrier::trace
