// A directory of its own for temporary files, which nobody else can look into; it is gone at the end with all that is
// in it.
#pragma once

#include <string>

namespace harrier::native {

class PrivateDirectory {
 public:
  // In $TMPDIR, or /tmp. Throws Error(Input) if it cannot be made.
  PrivateDirectory();
  ~PrivateDirectory();
  PrivateDirectory(const PrivateDirectory&) = delete;
  PrivateDirectory& operator=(const PrivateDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace harrier::native
