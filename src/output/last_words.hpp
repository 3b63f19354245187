// What the tool does when it cannot go on where it stands: a crash, its own or that of a library, or no memory in a
// place that cannot pass an exception on. libdw crashes or exits when it gets no memory, and destructors of
// nlohmann's JSON allocate. What a program has found must not be lost by that, and the exit code must be one of
// ours.
//
// Everything here that runs at the end may run in a signal handler: system calls only.
#pragma once

#include <string>

namespace heddle::output {

// From here on such an end is said in a line, precious files are kept, and the exit code is kIncomplete.
void install_last_words();

// Ends the tool that way: for libraries that ask what to do. libdw wants a pointer to a function that does not return;
// for clang, only the GNU attribute is part of the type.
__attribute__((noreturn)) void end_out_of_memory();

// A file that is given a name at such an end, and told to the user with `hint` before it. There are few at a time;
// one too many is not kept.
class PreciousFile {
 public:
  PreciousFile() = default;
  // `name` is what it is called already, or, if `is_named` is not, what it will be called.
  PreciousFile(int descriptor, const std::string& name, bool is_named, const std::string& hint);
  PreciousFile(PreciousFile&& other) noexcept;
  PreciousFile& operator=(PreciousFile&& other) noexcept;
  ~PreciousFile();

 private:
  int slot_ = -1;
};

}  // namespace heddle::output
