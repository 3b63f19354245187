// Files written and read again: whole, in pieces, cut off at every byte, with every bit flipped.
#include "history/reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "event/run_state.hpp"
#include "history/checksum.hpp"
#include "history/columns.hpp"
#include "history/sample.hpp"

namespace heddle::history {
namespace {

using event::as_code;
using event::History;
using event::Model;

event::History sample(Model model, u64 number) { return event::numbered_run(model, number).history; }

bool is_prefix(const History& part, const History& whole) {
  if (part.size() > whole.size()) return false;
  return as_code(part) == as_code({whole.begin(), whole.begin() + static_cast<long>(part.size())});
}

TEST(Checksum, IsCrc32c) {
  std::string text = "123456789";
  EXPECT_EQ(checksum({reinterpret_cast<const u8*>(text.data()), text.size()}), 0xe3069283u);
  EXPECT_EQ(checksum({}), 0u);
}

TEST(Columns, AreUndone) {
  event::Rng rng(1);
  for (usize count : {0, 1, 7, 8, 9, 100, 1000}) {
    std::vector<Record> records(count), back(count);
    for (Record& record : records) {
      record.op = static_cast<Op>(1 + rng.below(static_cast<u32>(Op::kLast)));
      record.flags = static_cast<u8>(rng.below(4));
      record.size = static_cast<u16>(rng.below(65536));
      record.a = static_cast<u32>(rng.next());
      record.address = rng.next();
    }
    std::vector<u8> columns(count * sizeof(Record));
    to_columns(records, columns);
    from_columns(columns, back);
    EXPECT_TRUE(count == 0 || std::memcmp(records.data(), back.data(), columns.size()) == 0);
  }
}

TEST(History, ComesBackAsItWas) {
  for (Model model : event::kModels)
    for (u64 number = 1; number <= 300; ++number) {
      History history = sample(model, number);
      for (usize chunk : {usize{1}, usize{7}, Writer::kChunkRecords}) {
        ReadBack back = read_back(as_file(history, chunk));
        ASSERT_EQ(back.problem, "");
        ASSERT_EQ(as_code(back.history), as_code(history));
      }
    }
}

TEST(History, OfManyStreamsIsMergedByTickets) {
  auto synchronisation = [](const History& history) {
    History result;
    for (const event::Event& event : history)
      if (!std::holds_alternative<event::Access>(event) && !std::holds_alternative<event::NewMemory>(event))
        result.push_back(event);
    return as_code(result);
  };
  auto by_task = [](History history) {
    std::stable_sort(history.begin(), history.end(),
                     [](const auto& a, const auto& b) { return task_of(a) < task_of(b); });
    return as_code(history);
  };
  for (Model model : event::kModels)
    for (u64 number = 1; number <= 300; ++number) {
      History history = sample(model, number);
      for (u32 threads : {1, 2, 5, 1000}) {
        ReadBack back = read_back(as_parallel_file(history, threads, number % 9 + 1));
        ASSERT_EQ(back.problem, "");
        ASSERT_TRUE(is_legal(back.history)) << listing(history) << "read as\n" << listing(back.history);
        ASSERT_EQ(synchronisation(back.history), synchronisation(history));
        ASSERT_EQ(by_task(back.history), by_task(history));
      }
    }
}

TEST(History, KeepsWhatIsLargerThanARecordInPieces) {
  using event::Access;
  using event::NewMemory;
  History history = {Access{0, 0x1003, 200000, true, false, 9}, NewMemory{0, 0x100, u64{5} << 30}};
  ReadBack back = read_back(as_file(history));
  u64 accessed = 0, renewed = 0;
  for (const event::Event& event : back.history) {
    if (auto* e = std::get_if<Access>(&event)) {
      EXPECT_EQ(e->address, 0x1003 + accessed);
      EXPECT_TRUE(e->write && !e->atomic && e->site == 9);
      accessed += e->size;
    }
    if (auto* e = std::get_if<NewMemory>(&event)) {
      EXPECT_EQ(e->address, 0x100 + renewed);
      renewed += e->size;
    }
  }
  EXPECT_EQ(accessed, 200000u);
  EXPECT_EQ(renewed, u64{5} << 30);
}

TEST(History, TellsAboutSitesAndTheProgram) {
  std::vector<u8> bytes;
  Writer writer(memory_sink(bytes));
  writer.text("{\"type\":\"start\"}\n");
  std::vector<Record> records(4);
  records[0].op = Op::kSite, records[0].a = 7, records[0].b = 3;
  records[1].op = Op::kSitePc, records[1].address = 0x401000;
  records[2].op = Op::kOrder, records[2].ticket = 0;
  records[3].op = Op::kAccess, records[3].size = 8, records[3].a = 7;
  writer.append(5, records);
  writer.text("{\"type\":\"module\"}\n");
  writer.end("signal 9");
  auto reader = Reader::open(memory_input(bytes));
  ASSERT_TRUE(reader);
  EXPECT_EQ((*reader)->text(), "{\"type\":\"start\"}\n{\"type\":\"module\"}\n");
  EXPECT_EQ((*reader)->end(), "signal 9");
  EXPECT_EQ(read_all(**reader).size(), 1u);
  EXPECT_EQ((*reader)->problem(), "");
  ASSERT_TRUE((*reader)->site(7));
  EXPECT_EQ((*reader)->site(7)->caller, 3u);
  EXPECT_EQ((*reader)->site(7)->pc, 0x401000u);
  EXPECT_FALSE((*reader)->site(8));
}

TEST(DamagedHistory, CutOffAtAnyByteGivesItsBeginning) {
  History history = sample(Model::kMixed, 3);
  std::vector<u8> bytes = as_file(history);
  usize longest = 0;
  for (usize size = 0; size < bytes.size(); ++size) {
    ReadBack back = read_back(std::span(bytes).first(size));
    EXPECT_NE(back.problem, "") << size;
    EXPECT_EQ(back.opened, size >= FileHeader::kSize);
    ASSERT_TRUE(is_prefix(back.history, history)) << size;
    EXPECT_GE(back.history.size(), longest);  // a longer file never yields a shorter history
    longest = back.history.size();
  }
  EXPECT_EQ(longest, history.size());  // only the end chunk is missing
}

TEST(DamagedHistory, OfManyStreamsCutOffAtAnyByteIsStillLegal) {
  for (u64 number : {3, 11, 29}) {
    std::vector<u8> bytes = as_parallel_file(sample(Model::kMixed, number), 4, 3);
    for (usize size = FileHeader::kSize; size < bytes.size(); ++size) {
      ReadBack back = read_back(std::span(bytes).first(size));
      EXPECT_NE(back.problem, "");
      ASSERT_TRUE(is_legal(back.history)) << size << "\n" << listing(back.history);
    }
  }
}

TEST(DamagedHistory, AnyTurnedBitIsNoticed) {
  History history = sample(Model::kOpenmp, 5);
  std::vector<u8> bytes = as_file(history, 20);
  for (usize bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= static_cast<u8>(1 << bit % 8);
    ReadBack back = read_back(bytes);
    EXPECT_NE(back.problem, "") << bit;
    ASSERT_TRUE(is_prefix(back.history, history)) << bit;
    bytes[bit / 8] ^= static_cast<u8>(1 << bit % 8);
  }
}

// A recorder's mistakes have valid checksums.
ReadBack read_records(std::vector<Record> records, bool with_end = true) {
  std::vector<u8> bytes;
  Writer writer(memory_sink(bytes));
  writer.append(0, records);
  if (with_end) writer.end("exit");
  return read_back(bytes);
}
Record record(Op op, u32 ticket = 0) {
  Record made;
  made.op = op;
  made.ticket = ticket;
  return made;
}

TEST(DamagedHistory, NonsenseIsNamed) {
  auto problem_of = [](std::vector<Record> records) { return read_records(std::move(records)).problem; };
  EXPECT_EQ(problem_of({record(Op::kGroupOpen, 0), record(Op::kGroupClose, 1)}), "");
  EXPECT_EQ(problem_of({record(Op::kGroupOpen, 0), record(Op::kGroupClose, 2)}),
            "the record with ticket 1 is missing");
  EXPECT_EQ(problem_of({record(Op::kGroupOpen, 0), record(Op::kGroupClose, 0)}),
            "the record with ticket 1 is missing");
  EXPECT_EQ(problem_of({record(Op::kNone)}), "a record is invalid (stream 0, after ticket 0)");
  EXPECT_EQ(problem_of({record(static_cast<Op>(200))}), "a record is invalid (stream 0, after ticket 0)");
  EXPECT_EQ(problem_of({record(Op::kAccess)}), "a record is invalid (stream 0, after ticket 0)");
  EXPECT_EQ(problem_of({record(Op::kDepend)}),
            "a depend clause belongs to nothing (stream 0, after ticket 0)");
  Record wait = record(Op::kWaitDepend);
  wait.size = 1;
  EXPECT_EQ(problem_of({wait}), "depend clauses are missing (stream 0, after ticket 1)");
  Record spawn = record(Op::kSpawn);
  spawn.a = 0xfffffff0;
  EXPECT_EQ(problem_of({spawn}), "a record is invalid (stream 0, after ticket 0)");
  EXPECT_EQ(read_records({record(Op::kBind)}, false).problem.substr(0, 28), "the recording is incomplete ");
}

TEST(DamagedHistory, TextWithoutEndIsNotRead) {
  std::vector<u8> bytes;
  Writer writer(memory_sink(bytes));
  const std::string lines(4 << 20, '\n');
  for (u32 i = 0; i < 20; ++i) writer.text(lines);
  writer.end("exit");
  EXPECT_LT(bytes.size(), 100000u);
  EXPECT_EQ(read_back(bytes).problem.substr(0, 43), "there is more text than a program can have ");
}

TEST(DamagedHistory, OtherFilesAndVersionsAreRefused) {
  auto error_of = [](std::string text) {
    return read_back({reinterpret_cast<const u8*>(text.data()), text.size()}).problem;
  };
  EXPECT_EQ(error_of("T0|r(V1)|3\nT0|w(V1)|4\n"),
            "this is not a history of Heddle: its first bytes are others");
  std::vector<u8> bytes = as_file({});
  bytes[8] = 9;
  EXPECT_EQ(read_back(bytes).problem,
            "the history has version 9 of the format; this tool supports version 1");
}

}  // namespace
}  // namespace heddle::history
