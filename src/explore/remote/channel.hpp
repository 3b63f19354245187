// Messages between a coordinator and an executor elsewhere: whole, in order, or not at all any more.
//
// What carries them does not matter to the rest: a socket here, ranks of a message-passing system (ranks.hpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heddle::explore {

class Channel {
 public:
  virtual ~Channel() = default;
  // False: the other side is gone.
  virtual bool send(std::string_view message) = 0;
  // Waits so long for something to be received: a message, or that the other side is gone.
  virtual bool ready(int milliseconds) = 0;
  // Waits. Nothing: the other side is gone.
  virtual std::optional<std::string> receive() = 0;
};

// Over a connected stream socket or a pair of pipes, which it does not own. Each message is preceded by its length.
class DescriptorChannel : public Channel {
 public:
  DescriptorChannel(int in, int out) : in_(in), out_(out) {}
  bool send(std::string_view message) override;
  bool ready(int milliseconds) override;
  std::optional<std::string> receive() override;

 private:
  int in_, out_;
};

}  // namespace heddle::explore
