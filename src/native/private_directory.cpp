#include "native/private_directory.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>

#include "base/error.h"

namespace harrier::native {

PrivateDirectory::PrivateDirectory() {
  const char* const base = std::getenv("TMPDIR");
  std::string pattern = std::string(base != nullptr && *base != '\0' ? base : "/tmp") + "/harrier-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) {
    throw Error(ErrorKind::Input, "no directory for temporary files: " + pattern + ": " + std::strerror(errno));
  }
  path_ = pattern;
}

PrivateDirectory::~PrivateDirectory() {
  // What has been told to end may still be about to make a last file.
  constexpr int kAttempts = 100;
  for (int i = 0; i < kAttempts; ++i) {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
    if (!error) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace harrier::native
