#include "cli/site_names.hpp"

#include <vector>

namespace heddle::cli {
namespace {}  // namespace

SiteNames::SiteNames(const std::string& about)
    : log_(report::read_raw_log(about)), symbolizer_(log_.run ? log_.run->directory : "") {
  if (!log_.processes.empty()) stacks_.emplace(symbolizer_, log_.processes.back());
}

const SiteName& SiteNames::name(u32 site, const history::EventSource& source) {
  auto [found, is_new] = names_.try_emplace(site);
  if (is_new) found->second = resolve(site, source);
  return found->second;
}

SiteName SiteNames::resolve(u32 site, const history::EventSource& source) {
  if (site == 0) return {"an unknown place", "", "", 0};
  std::optional<history::Site> known = source.site(site);
  if (!known) return {"site " + std::to_string(site), "", "", 0};
  if (!known->name.empty()) return {known->name, "", "", 0};
  constexpr u32 kDeep = 256;  // a chain of callers in a damaged file may be cyclic
  std::vector<report::Address> stack;
  for (u32 at = site; known && stack.size() < kDeep; known = at ? source.site(at) : std::nullopt) {
    stack.push_back(known->pc);
    at = known->caller;
  }
  if (!stacks_) return {"site " + std::to_string(site), "", "", 0};
  report::Stack shown = stacks_->build(stack, log_.processes.back().modules.size(), 0);
  const report::Frame* frame = shown.user_frame();
  if (!frame && !shown.frames.empty()) frame = &shown.frames.front();
  if (!frame) return {"site " + std::to_string(site), "", "", 0};
  std::string place = report::short_place(*frame);
  std::string text = frame->function + (place.empty() ? "" : " (" + place + ")");
  return {text, frame->function, frame->file, frame->line};
}

}  // namespace heddle::cli
