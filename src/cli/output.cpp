// Results to standard output and files, with every failure noticed.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "cli/commands.h"
#include "harrier/error.h"

namespace harrier::cli {

void write_result(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw Error(ErrorKind::Input, std::string("cannot write to standard output: ") + std::strerror(errno));
  }
}

void write_file(const std::string& path, const std::string& text) {
  const auto fail = [&] {
    const std::string why = std::strerror(errno);
    throw Error(ErrorKind::Input, "cannot write '" + path + "': " + why);
  };
  // Written beside and moved into place, unless the target is a device or a pipe.
  const std::string temporary = path + ".part";
  std::FILE* existing = std::fopen(path.c_str(), "r+");
  const bool seekable = existing == nullptr || std::fseek(existing, 0, SEEK_END) == 0;
  const bool replace = seekable && path.rfind("/dev/", 0) != 0;
  if (existing != nullptr) std::fclose(existing);
  std::FILE* file = std::fopen((replace ? temporary : path).c_str(), "wb");
  if (file == nullptr) fail();
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = std::fclose(file) == 0;
  if (!written || !closed || (replace && std::rename(temporary.c_str(), path.c_str()) != 0)) {
    const int error = errno;
    if (replace) std::remove(temporary.c_str());
    errno = error;
    fail();
  }
}

}  // namespace harrier::cli
