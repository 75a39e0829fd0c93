// A directory of its own for a test, gone with it. Tests run side by side: no two may share a file.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace harrier::testing_support {

class Workspace {
 public:
  Workspace() {
    std::string pattern = (std::filesystem::temp_directory_path() / "harrier-test-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Workspace() { std::filesystem::remove_all(path_); }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  std::string path(const std::string& name) const { return path_ + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

 private:
  std::string path_;
};

}  // namespace harrier::testing_support
