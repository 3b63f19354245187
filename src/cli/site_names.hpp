// The names of a history's sites: function and line of the user's own code, from the modules of the history.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "history/source.hpp"
#include "report/raw_log.hpp"
#include "report/stacks.hpp"
#include "report/symbolizer.hpp"

namespace heddle::cli {

struct SiteName {
  std::string text;  // `bump (app.cpp:12)`, `site 7`
  std::string function, file;
  int line = 0;
};

class SiteNames {
 public:
  // `about` is the history's description of the program (lines of docs/raw-log.md); empty for imported traces.
  explicit SiteNames(const std::string& about);

  // Of a site that the source has described so far.
  const SiteName& name(u32 site, const history::EventSource& source);

 private:
  SiteName resolve(u32 site, const history::EventSource& source);

  report::RawLog log_;
  report::Symbolizer symbolizer_;
  std::optional<report::StackBuilder> stacks_;
  std::unordered_map<u32, SiteName> names_;
};

}  // namespace heddle::cli
