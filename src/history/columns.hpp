// Records as columns, the form in which they are compressed: all first bytes, then all second bytes, and so on.
// Adjacent records differ in few of their bytes, so most columns are runs.
//
// Addresses become differences: to the last address of the same site (of the sites with the same last eight bits), so
// that a loop over an array is a run, whatever else the loop accesses. In records with a ticket the same word holds
// `b` and the ticket; they are differences to the last record with a ticket.
//
// Cost: about two nanoseconds per decoded record.
#pragma once

#include <span>

#include "history/channel/record.hpp"

namespace heddle::history {

// REQUIRES: columns.size() == records.size() * sizeof(Record).
void to_columns(std::span<const Record> records, std::span<u8> columns);
void from_columns(std::span<const u8> columns, std::span<Record> records);

}  // namespace heddle::history
