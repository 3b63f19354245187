// `name=value`, `name` and `no-name`, as in HEDDLE_OPTIONS, in an options file and, after two dashes, on a command
// line.
#pragma once

#include "options/spec.hpp"

namespace heddle::options {

struct Setting {
  const Spec* spec = nullptr;  // null: there is no option of that name
  Slice name;
  Slice text;  // the value: what follows the `=`, or 1, or 0
  Value value;
};

namespace detail {

// `_` and `-` are the same in a name.
constexpr bool is_name(Slice given, const Name& name) {
  const Slice known = slice(name.text);
  if (given.size() != known.size()) return false;
  for (usize i = 0; i < given.size(); ++i)
    if ((given.begin[i] == '_' ? '-' : given.begin[i]) != known.begin[i]) return false;
  return true;
}

}  // namespace detail

constexpr const Spec* find(const Spec* specs, usize count, Slice name) {
  for (const Spec* spec = specs; spec != specs + count; ++spec)
    if (detail::is_name(name, spec->name)) return spec;
  return nullptr;
}

constexpr Setting parse_setting(const Spec* specs, usize count, Slice text) {
  Setting setting;
  Slice rest = text;
  setting.name = rest.take_until('=');
  setting.spec = find(specs, count, setting.name);
  setting.text = rest;
  if (setting.name.end == text.end) {
    const Slice name = setting.name;
    const bool negated = !setting.spec && name.size() > 3 && name.begin[0] == 'n' && name.begin[1] == 'o' &&
                         (name.begin[2] == '-' || name.begin[2] == '_');
    if (negated) setting.spec = find(specs, count, {name.begin + 3, name.end});
    const bool is_flag = setting.spec && setting.spec->type.kind == Kind::kFlag;
    if (negated && !is_flag) setting.spec = nullptr;
    if (is_flag) setting.text = slice(negated ? "0" : "1");
  }
  if (setting.spec) setting.value = parse_value(setting.spec->type, setting.text);
  return setting;
}

// Takes the next of `a=1:b='x:y'` and passes its characters, without quotes, to put(char). Null when there is none
// left.
template <class Put>
constexpr const char* take_setting(const char* text, Put&& put) {
  while (*text == ':') ++text;
  if (!*text) return nullptr;
  char quote = 0;
  for (; *text && (quote || *text != ':'); ++text) {
    if (quote ? *text == quote : *text == '\'' || *text == '"')
      quote = quote ? 0 : *text;
    else
      put(*text);
  }
  return text;
}

}  // namespace heddle::options
