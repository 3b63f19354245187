// The tool's side of a channel (history/channel/channel.hpp): takes the blocks that a program hands over and passes
// their records on, to a history file or to whoever analyses them.
//
// Blocks of a stream are passed on in their order, each as soon as it is there; memory holds what the channel holds
// and no more. The program may die at any moment: what it had in hand is taken at the end.
#pragma once

#include <atomic>
#include <unordered_map>
#include <vector>

#include "history/channel/channel.hpp"
#include "history/writer.hpp"
#include "support/result.hpp"

namespace heddle::history {

class Collector {
 public:
  static Result<Collector> create();
  Collector(Collector&&) noexcept;
  Collector& operator=(Collector&&) = delete;
  ~Collector();

  // What the program inherits.
  int descriptor() const { return descriptor_; }

  // Takes what is there, waiting a moment for something to come. To be called again and again, by one thread.
  void collect(RecordSink& sink);
  // The same without waiting; says whether there was anything.
  bool take_ready(RecordSink& sink) { return sweep(sink, false) != 0; }
  // What has been recorded and not yet taken, while the program stands still. It stays.
  void peek(RecordSink& sink) const;
  // The program is to record no more.
  void close();
  // Takes all that is left. Nothing is recorded any more.
  void finish(RecordSink& sink);
  // After finish(): the channel is as it was made, for the next process.
  void reset();

  // The process that was recorded; 0: none was. And how many others would have liked to be.
  u32 program() const { return channel_->program.load(); }
  u32 others() const { return channel_->others.load(); }
  Closed closed() const { return static_cast<Closed>(channel_->closed.load()); }
  u64 records() const { return records_; }
  u64 accesses() const { return accesses_; }
  u32 streams() const { return static_cast<u32>(next_.size()); }

 private:
  Collector(int descriptor, Channel* channel) : descriptor_(descriptor), channel_(channel) {}
  // Passes on the full blocks, or all; returns how many there were.
  u32 sweep(RecordSink& sink, bool all);
  void take(RecordSink& sink, u32 stream, const std::vector<u32>& blocks);

  int descriptor_;
  Channel* channel_;
  std::unordered_map<u32, u32> next_;  // stream -> the number of its next block
  std::vector<Record> records_of_chunk_;
  u64 records_ = 0, accesses_ = 0;
};

}  // namespace heddle::history
