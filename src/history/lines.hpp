// The lines of an input of any size, one at a time, through one buffer.
#pragma once

#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "history/input.hpp"

namespace heddle::history {

class Lines {
 public:
  explicit Lines(std::unique_ptr<Input> input, usize block = 1 << 16)
      : input_(std::move(input)), buffer_(block) {}

  // Valid until the next call. Without its newline, and without a carriage return.
  bool next(std::string_view& line) {
    while (true) {
      const char* text = reinterpret_cast<const char*>(buffer_.data());
      const char* from = text + begin_;
      auto* newline = static_cast<const char*>(std::memchr(from + seen_, '\n', end_ - begin_ - seen_));
      if (newline || (at_end_ && begin_ != end_)) {
        const char* to = newline ? newline : text + end_;
        begin_ += static_cast<usize>(to - from) + (newline ? 1 : 0);
        seen_ = 0;
        if (to != from && to[-1] == '\r') --to;
        line = {from, static_cast<usize>(to - from)};
        ++number_;
        return true;
      }
      if (at_end_) return false;
      seen_ = end_ - begin_;
      more();
    }
  }
  u64 number() const { return number_; }  // of the last line, from 1

 private:
  void more() {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    if (end_ == buffer_.size()) buffer_.resize(buffer_.size() * 2);  // a line longer than the buffer
    usize got = input_->read(offset_, std::span(buffer_).subspan(end_));
    offset_ += got;
    end_ += got;
    at_end_ = got == 0;
  }

  std::unique_ptr<Input> input_;
  std::vector<u8> buffer_;
  usize begin_ = 0, end_ = 0;
  usize seen_ = 0;  // bytes of the buffer without a newline
  u64 offset_ = 0, number_ = 0;
  bool at_end_ = false;
};

}  // namespace heddle::history
