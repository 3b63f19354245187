// The tool's side of a channel (history/channel/channel.hpp): takes the blocks of a program and passes their records
// on, to a history file or to an analysis.
//
// Blocks of a stream are passed on in order, each as soon as it is there; memory use is that of the channel. The
// program may die at any moment: its unfinished blocks are taken at the end.
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

  // Inherited by the program.
  int descriptor() const { return descriptor_; }

  // Takes the available blocks, waiting a moment for more. To be called repeatedly, by one thread.
  void collect(RecordSink& sink);
  // The same without waiting; returns whether there was anything.
  bool take_ready(RecordSink& sink) { return sweep(sink, false) != 0; }
  // The records that were not taken yet, while the program is stopped. They stay.
  void peek(RecordSink& sink) const;
  // Tells the program to stop recording.
  void close();
  // Takes all that is left. No more is recorded.
  void finish(RecordSink& sink);
  // After finish(): restores the initial state of the channel, for the next process.
  void reset();

  // The recorded process; 0: none. And the number of others that tried.
  u32 program() const { return channel_->program.load(); }
  u32 others() const { return channel_->others.load(); }
  Closed closed() const { return static_cast<Closed>(channel_->closed.load()); }
  u64 records() const { return records_; }
  u64 accesses() const { return accesses_; }
  u32 streams() const { return static_cast<u32>(next_.size()); }

 private:
  Collector(int descriptor, Channel* channel) : descriptor_(descriptor), channel_(channel) {}
  // Passes on the full blocks, or all; returns their number.
  u32 sweep(RecordSink& sink, bool all);
  void take(RecordSink& sink, u32 stream, const std::vector<u32>& blocks);

  int descriptor_;
  Channel* channel_;
  std::unordered_map<u32, u32> next_;  // stream -> the number of its next block
  std::vector<Record> records_of_chunk_;
  u64 records_ = 0, accesses_ = 0;
};

}  // namespace heddle::history
