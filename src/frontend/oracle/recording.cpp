#include "frontend/oracle/recording.hpp"

#include <cstdlib>

#include "base/check.hpp"
#include "history/collector.hpp"
#include "history/reader.hpp"
#include "runtime/access/mode.hpp"
#include "runtime/recording/recorder.hpp"
#include "runtime/recording/stream.hpp"
#include "runtime/runtime.hpp"

namespace heddle::oracle::recording {
namespace {

history::Collector* g_collector = nullptr;
MachineStack g_stack;  // of the initial thread: looking for it costs more than all else

}  // namespace

// As init() does when it finds a channel.
void start() {
  auto collector = history::Collector::create();
  HEDDLE_CHECK(collector);
  g_collector = new history::Collector(std::move(*collector));
  setenv(history::kChannelDescriptor, std::to_string(g_collector->descriptor()).c_str(), 1);
  HEDDLE_CHECK(recorder::open());
  recorder::prepare();
  rt().recording = g_compounds_are_two = true;
  rt().order.set_listener(recorder::listener());
  start_modes();
  g_stack = {rt().initial->stack_low, rt().initial->stack_high};
  detach_thread(*rt().initial);
}

// Numbers begin anew: each program has a history of its own.
void begin(order::Task& root) {
  recorder::g_tasks = recorder::g_objects = 1;
  recorder::g_teams = 0;
  rt().threads = 0;
  rt().initial = nullptr;
  set_self(nullptr);
  rt().initial = attach_thread(&root, g_stack);
}

event::History end() {
  detach_thread(*rt().initial);
  std::vector<u8> bytes;
  {
    history::Writer writer([&](std::span<const u8> more) {
      bytes.insert(bytes.end(), more.begin(), more.end());
      return std::string();
    });
    g_collector->finish(writer);
    writer.end("exit");
    HEDDLE_CHECK(writer.problem().empty());
  }
  g_collector->reset();
  auto reader = history::Reader::open(history::memory_input(bytes));
  HEDDLE_CHECK(reader);
  event::History history = read_all(**reader);
  HEDDLE_CHECK((*reader)->problem().empty());
  return history;
}

}  // namespace heddle::oracle::recording
