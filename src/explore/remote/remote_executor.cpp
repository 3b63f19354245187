#include "explore/remote/remote_executor.hpp"

#include "explore/remote/wire.hpp"

namespace heddle::explore {
namespace {

enum Message : u64 { kRun, kAsk, kAnswer, kDone, kCancel, kFinish };

constexpr int kMoment = 20;  // milliseconds between two checks for cancellation

std::string plain(Message message) {
  WireWriter out;
  out.number(message);
  return out.take();
}
bool is(const std::string& message, Message kind) { return message == plain(kind); }

Execution lost() {
  Execution execution;
  execution.end = End::kCrashed;
  execution.problem = "a worker is gone";
  return execution;
}

// Asks the coordinator.
class RemoteGuide : public Guide {
 public:
  RemoteGuide(Executor& executor, Channel& channel, usize& told, std::vector<ActorNumber>& translation)
      : executor_(executor), channel_(channel), told_(told), translation_(translation) {}

  ActorNumber next(const Execution& so_far, std::span<const ActorNumber> enabled,
                   std::vector<ActorNumber>& avoid) override {
    WireWriter out;
    out.number(kAsk);
    out.names(*executor_.names, told_);
    out.execution(so_far);
    out.actors({enabled.begin(), enabled.end()});
    out.actors(avoid);
    if (!channel_.send(out.take())) return kNobody;
    std::optional<std::string> message = channel_.receive();
    if (message && is(*message, kCancel)) message = channel_.receive();  // too late: the answer follows
    if (!message) return kNobody;
    WireReader in(*message, translation_);
    bool answers = in.number() == kAnswer;
    in.names(*executor_.names);
    ActorNumber chosen = in.actor();
    avoid = in.actors();
    return answers && !in.broken() ? chosen : kNobody;
  }

 private:
  Executor& executor_;
  Channel& channel_;
  usize& told_;
  std::vector<ActorNumber>& translation_;
};

}  // namespace

RemoteExecutor::RemoteExecutor(std::unique_ptr<Channel> channel, std::shared_ptr<ActorNames> shared_names)
    : channel_(std::move(channel)) {
  names = std::move(shared_names);
}

Execution RemoteExecutor::run(const Prefix& prefix, Guide& guide) {
  WireWriter out;
  out.number(kRun);
  out.names(*names, told_);
  out.number(stepping.split_acquisitions);
  out.number(stepping.repeat_polls);
  out.actors(prefix.actors);
  out.actors(prefix.avoid);
  if (!channel_->send(out.take())) return lost();
  for (;;) {
    std::optional<std::string> message = next_message();
    if (!message) return lost();
    WireReader in(*message, translation_);
    u64 kind = in.number();
    in.names(*names);
    Execution execution = in.execution();
    if (kind == kDone) return in.broken() ? lost() : execution;
    std::vector<ActorNumber> enabled = in.actors(), avoid = in.actors();
    if (kind != kAsk || in.broken()) return lost();
    ActorNumber chosen = guide.next(execution, enabled, avoid);
    WireWriter answer;
    answer.number(kAnswer);
    answer.names(*names, told_);
    answer.number(chosen);
    answer.actors(avoid);
    if (!channel_->send(answer.take())) return lost();
  }
}

std::optional<std::string> RemoteExecutor::next_message() {
  for (bool cancelled = false; !channel_->ready(kMoment);) {
    if (cancelled || !is_unwanted()) continue;
    cancelled = true;
    if (!channel_->send(plain(kCancel))) return std::nullopt;
  }
  return channel_->receive();
}

void RemoteExecutor::finish() { channel_->send(plain(kFinish)); }

void serve(Executor& executor, Channel& channel) {
  // The only message that can arrive during an execution cancels it.
  executor.unwanted = [&] { return channel.ready(0); };
  usize told = 0;
  std::vector<ActorNumber> translation;  // of the coordinator's numbers
  while (std::optional<std::string> message = channel.receive()) {
    if (is(*message, kCancel)) continue;  // of an execution that has ended
    WireReader in(*message, translation);
    bool runs = in.number() == kRun;
    in.names(*executor.names);
    Stepping stepping;
    stepping.split_acquisitions = in.number() != 0;
    stepping.repeat_polls = in.number() != 0;
    if (stepping != executor.stepping) executor.restart(stepping);
    Prefix prefix;
    prefix.actors = in.actors();
    prefix.avoid = in.actors();
    if (!runs || in.broken()) break;
    RemoteGuide guide(executor, channel, told, translation);
    Execution execution = executor.run(prefix, guide);
    WireWriter out;
    out.number(kDone);
    out.names(*executor.names, told);
    out.execution(execution);
    if (!channel.send(out.take())) break;
  }
  executor.unwanted = nullptr;
}

}  // namespace heddle::explore
