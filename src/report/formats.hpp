// The formats in which a report is written for other programs. The ending of the file's name chooses one.
//
// To add one: declare its writer here, give it a row in formats.cpp, and write it in a file of its own.
#pragma once

#include <iosfwd>
#include <span>
#include <string>

#include "report/finding.hpp"

namespace heddle::report {

struct Format {
  const char* name;  // and the ending of its files
  void (*write)(std::ostream&, const Report&);
};

std::span<const Format> formats();
// Of a file with that name; the first format if its ending names none.
const Format& format_of(const std::string& path);

void write_json(std::ostream&, const Report&);   // docs/json-report.md
void write_sarif(std::ostream&, const Report&);  // SARIF 2.1.0

}  // namespace heddle::report
