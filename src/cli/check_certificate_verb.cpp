// heddle check-certificate: checks a proof. Executes the program again, without the explorer.
#include "cli/verb.hpp"
#include "explore/certificate_check.hpp"
#include "explore/session/exploration.hpp"
#include "output/text_file.hpp"

namespace heddle::cli {
namespace {

int refuse(const std::string& why) {
  say("the certificate does not hold: " + why);
  return 1;
}

int run(Settings& settings) {
  if (settings.operands.size() < 2)
    return fail(
        "heddle check-certificate needs a certificate and a program; see heddle check-certificate --help");
  const std::string path = settings.operands.front();
  settings.operands.erase(settings.operands.begin());
  const auto text = read_text(path, "the certificate");
  if (!text) return fail(text.error());

  auto names = std::make_shared<explore::ActorNames>();
  const auto certificate = explore::parse_certificate(*text, *names);
  if (!certificate) return fail_input(path + ": " + certificate.error());
  const explore::Reduction* reduction = explore::find_reduction(certificate->head.reduction);
  if (!reduction) return fail_input(path + ": unknown reduction '" + certificate->head.reduction + "'");
  auto exploration = explore::start_exploration(settings, {}, *reduction);
  if (!exploration) return fail(exploration.error());
  const auto hash = explore::program_hash(exploration->watched.path), input = explore::input_hash(settings);
  if (!hash || !input) return fail(hash ? input.error() : hash.error());
  if (*hash != certificate->head.program_hash)
    return refuse("it is about another program (the file has changed since)");
  if (*input != certificate->head.input_hash)
    return refuse("it is about another input (arguments, environment or standard input differ)");
  if (exploration->program->sequential()) {
    if (const std::string why = explore::given_up(*exploration); !why.empty()) return fail(why);
    return refuse("the program does nothing in parallel");
  }

  explore::Executor& executor = *exploration->program->executors().front();
  executor.names = names;
  executor.stepping = certificate->head.stepping;
  explore::CheckOptions check;
  check.sample = settings.options.number("sample");
  const explore::CheckReport report = explore::check_certificate(*certificate, executor, check);
  if (!report.holds() && !executor.broken.empty())
    return fail("the certificate cannot be checked: " + executor.broken);
  if (!report.holds()) return refuse(report.problem);
  say("the certificate holds: " + std::to_string(report.orders) + " of " +
      std::to_string(certificate->orders.size()) + " orders executed again, " +
      std::to_string(report.reversals) + " turned round, " + std::to_string(report.impossible) +
      " of these impossible");
  return 0;
}

}  // namespace

const Verb kCheckCertificateVerb{
    "check-certificate",
    options::kCheckCertificate,
    Operands::kProgram,
    "check a proof of heddle prove by executing the program again",
    "[--sample=N] [options] FILE.certificate PROGRAM [arguments]",
    "Makes sure that program and input are those of the certificate, executes every order that it lists, and "
    "tries to "
    "reverse each pair of steps that could be reversed: the result must be listed, too. The checker shares "
    "no algorithm "
    "with the explorer. Exit code: 0 if the certificate holds, 1 if it does not, 65 if the file is damaged, "
    "2 if it "
    "cannot be checked.",
    "  heddle prove ./app 4 && heddle check-certificate app.certificate ./app 4\n",
    run};

}  // namespace heddle::cli
