// Messages between a coordinator and a remote executor: complete and in order, until the channel closes.
//
// The transport is exchangeable: a socket here, ranks of a message-passing system (ranks.hpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heddle::explore {

class Channel {
 public:
  virtual ~Channel() = default;
  // False: the other side has gone.
  virtual bool send(std::string_view message) = 0;
  // Waits up to that long until receive() would not block: a message arrived, or the other side has gone.
  virtual bool ready(int milliseconds) = 0;
  // Blocks. Nothing: the other side has gone.
  virtual std::optional<std::string> receive() = 0;
};

// Over a connected stream socket or a pair of pipes, which it does not own. A message's length precedes it.
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
