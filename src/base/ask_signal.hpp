// How the tool asks a program of an ordinary run where its threads stand, and to end then: a real-time signal with a value.
#pragma once

namespace heddle::ask {

constexpr int kSignal = 63;  // one below SIGRTMAX, which is no constant
// Never sent. Whether it is handled tells, in /proc, that the program itself handles some signal, which could wake its threads.
constexpr int kProgramHandles = 62;
// The value.
constexpr int kTimeIsOver = 1, kHangs = 2;
// The exit codes of a program that has answered: as timeout(1) has it, and that of certain bugs.
constexpr int kTimeoutCode = 124, kHangCode = 66;

}  // namespace heddle::ask
