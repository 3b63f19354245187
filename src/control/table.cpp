#include "control/table.hpp"

namespace heddle::control {
namespace {

const Table kTable{Table::kVersion,
                   on,
                   active,
                   explores,
                   choose,
                   cut,
                   yield,
                   looked,
                   changed,
                   now,
                   create,
                   begin,
                   end,
                   withdraw,
                   current,
                   ended,
                   number,
                   acquire,
                   try_acquire,
                   release,
                   available,
                   times_held,
                   gained,
                   forget,
                   leave_baton,
                   take_baton,
                   logical_threads,
                   prepare,
                   follows_names,
                   start_when_chosen};

}  // namespace
}  // namespace heddle::control

extern "C" __attribute__((visibility("default"))) const heddle::control::Table* __heddle_control() {
  return &heddle::control::kTable;
}
