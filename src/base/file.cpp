#include "base/file.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace harrier {

namespace {

constexpr int kWaitMs = 20;
constexpr size_t kPiece = size_t{1} << 16;

class Descriptor {
 public:
  // A pipe without a writer is open at once, too.
  explicit Descriptor(const std::string& path) : number_(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

}  // namespace

std::string read_whole(const std::string& path, const Watch& watch) {
  const auto fail = [&] {
    throw Error(ErrorKind::Input, "cannot read '" + path + "': " + std::generic_category().message(errno));
  };
  const Descriptor file(path);
  if (file.number() < 0) fail();
  std::string text;
  std::array<char, kPiece> piece{};
  for (;;) {
    watch.poll();
    pollfd wanted{file.number(), POLLIN, 0};
    const int ready = ::poll(&wanted, 1, kWaitMs);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t length = ready < 0 ? -1 : read(file.number(), piece.data(), piece.size());
    if (length == 0) return text;
    if (length > 0) {
      text.append(piece.data(), static_cast<size_t>(length));
    } else if (errno != EAGAIN && errno != EINTR) {
      fail();
    }
  }
}

}  // namespace harrier
