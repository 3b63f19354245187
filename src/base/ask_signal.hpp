// How the tool asks a program of an ordinary run where its threads stand, and to end then: a real-time signal with a
// value.
#pragma once

namespace heddle::ask {

constexpr int kSignal = 63;  // one below SIGRTMAX, which is no constant
// Never sent. If it is handled, /proc shows that the program itself handles some signal, which could wake
// its threads.
constexpr int kProgramHandles = 62;
// The value.
constexpr int kTimeIsOver = 1, kHangs = 2;
// The exit code of a program that Heddle has ended (a deadlock, a time limit), as timeout(1) has it. What
// was found decides the tool's own.
constexpr int kEndedCode = 124;

}  // namespace heddle::ask
