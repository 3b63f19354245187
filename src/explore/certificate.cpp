#include "explore/certificate.hpp"

#include <algorithm>

#include "explore/actor_text.hpp"

namespace heddle::explore {
namespace {

constexpr std::string_view kFirstLine = "heddle-certificate 1";
constexpr std::pair<End, std::string_view> kEnds[] = {
    {End::kFinished, "finished"}, {End::kDeadlock, "deadlock"}, {End::kCrashed, "crashed"}};

// A line may hold any character except a line break.
std::string one_line(std::string_view text) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

}  // namespace

std::string certificate_head(const CertificateHead& head) {
  std::string text = std::string(kFirstLine) + "\nprogram " + one_line(head.program) + "\nprogram-hash " +
                     one_line(head.program_hash) + "\n";
  for (const std::string& argument : head.arguments) text += "argument " + one_line(argument) + "\n";
  return text + "input-hash " + one_line(head.input_hash) + "\nreduction " + one_line(head.reduction) +
         +"\n" + stepping_lines(head.stepping);
}

std::string CertificateLines::line(const CertifiedOrder& order, const ActorNames& names) {
  auto [mine, theirs] =
      std::mismatch(order.actors.begin(), order.actors.end(), previous_.begin(), previous_.end());
  std::string_view end = "crashed";
  for (auto [value, word] : kEnds)
    if (value == order.end) end = word;
  std::string text = "order " + to_text(order.digest) + " " + std::string(end) + " " +
                     std::to_string(mine - order.actors.begin()) +
                     actors_text({mine, order.actors.end()}, names) + "\n";
  previous_ = order.actors;
  return text;
}

std::string CertificateLines::line(const Explored& explored, const ActorNames& names) {
  CertifiedOrder order{explored.analysis.digest(names), explored.execution.end, {}};
  for (const Step& step : explored.execution.steps) order.actors.push_back(step.actor);
  return line(order, names);
}

std::string certificate_tail(u64 executions, const std::vector<std::string>& assumptions) {
  std::string text = "executions " + std::to_string(executions) + "\n";
  for (const std::string& assumption : assumptions) text += "assume " + one_line(assumption) + "\n";
  return text + "end\n";
}

std::string to_text(const Certificate& certificate, const ActorNames& names) {
  std::string text = certificate_head(certificate.head);
  CertificateLines lines;
  for (const CertifiedOrder& order : certificate.orders) text += lines.line(order, names);
  return text + certificate_tail(certificate.orders.size(), certificate.assumptions);
}

Result<Certificate> parse_certificate(std::string_view text, ActorNames& names) {
  Certificate certificate;
  CertificateHead& head = certificate.head;
  usize number = 1;
  u64 executions = 0;
  auto wrong = [&](const std::string& what) {
    return Error{"line " + std::to_string(number) + " of the certificate: " + what};
  };
  if (take_line(text) != kFirstLine)
    return wrong("this is no certificate of a version known here: it does not begin with '" +
                 std::string(kFirstLine) + "'");
  for (;;) {
    ++number;
    if (text.empty()) return wrong("its end was lost");
    std::string_view line = take_line(text), what = take_word(line);
    if (what == "end") break;
    if (what == "program") {
      head.program = line;
    } else if (what == "program-hash") {
      head.program_hash = line;
    } else if (what == "argument") {
      head.arguments.emplace_back(line);
    } else if (what == "input-hash") {
      head.input_hash = line;
    } else if (what == "reduction") {
      head.reduction = line;
    } else if (parse_stepping(what, line, head.stepping)) {
    } else if (what == "assume") {
      certificate.assumptions.emplace_back(line);
    } else if (what == "executions") {
      if (!parse_number(line, executions)) return wrong("this is no number");
    } else if (what == "order") {
      CertifiedOrder order;
      if (!parse_digest(take_word(line), order.digest)) return wrong("this is no digest");
      std::string_view end = take_word(line);
      bool known = false;
      for (auto [value, word] : kEnds)
        if (word == end) order.end = value, known = true;
      if (!known) return wrong("an execution cannot end '" + std::string(end) + "'");
      usize shared = 0;
      const auto& previous = certificate.orders.empty() ? order.actors : certificate.orders.back().actors;
      if (!parse_number(take_word(line), shared) || shared > previous.size())
        return wrong("it shares more than there is");
      order.actors.assign(previous.begin(), previous.begin() + static_cast<std::ptrdiff_t>(shared));
      if (!parse_actors(line, names, order.actors)) return wrong("these are not actors");
      certificate.orders.push_back(std::move(order));
    } else {
      return wrong("'" + std::string(what) + "' is not understood");
    }
  }
  if (executions != certificate.orders.size())
    return wrong("it says " + std::to_string(executions) + " executions, and lists " +
                 std::to_string(certificate.orders.size()));
  return certificate;
}

}  // namespace heddle::explore
