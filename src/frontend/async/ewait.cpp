// ewait under the verification runtime: which of the tasks it joins must be a scheduling choice.
//
// For each task that could be joined there is an actor that waits for the task's end and then answers: "take this
// one". The first answer decides. All answers touch one object, so the explorer reverses them, and each task comes
// first in some execution: also one that ends only after this execution's choice, unless it had to wait for a later
// step of the waiting task.
//
// All answers for a task precede every join of it: no question is open when the program ends.
#include "frontend/async/async.hpp"

namespace heddle::async {
namespace {

struct Question {
  uptr name = 0;       // equal in all executions: from the actor of the first task
  u32 references = 0;  // outstanding answers, and the task that waits
  Completion* taken = nullptr;
  order::SyncObject answer;
};

struct Answer {
  Question* question;
  Completion* completion;
  uptr caller;
};

void release(Question* question) {
  if (--question->references == 0) memory::destroy(question);
}

bool has_ended(const Completion& completion) { return completion.ended.load(std::memory_order_acquire); }

void give_answer(void* data) {
  auto* answer = static_cast<Answer*>(data);
  Question* question = answer->question;
  Completion& completion = *answer->completion;
  wait_until(has_ended, completion, "may be joined by an ewait", answer->caller);
  ThreadState* thread = participant();
  acquire_end(thread, completion);
  // Only the first answer has an effect.
  control::choose({.op = control::Op::kChoice,
                   .object = question->name,
                   .data = question,
                   .settle = [](control::Pending& p) { p.write = !static_cast<Question*>(p.data)->taken; },
                   .what = "offers a task to an ewait",
                   .pc = answer->caller});
  if (!question->taken) {
    question->taken = &completion;
    RuntimeScope scope(*thread);
    rt().order.publish(*thread->context->task, question->answer);
  }
  {
    RuntimeScope scope(*thread);
    rt().order.publish(*thread->context->task, completion.answers);
  }
  --completion.unanswered;
  release(question);
  memory::destroy(answer);
}

bool answered(const Question& question) { return question.taken && question.taken->unanswered == 0; }

}  // namespace

usize choose_one(ThreadState& thread, void* const* completions, usize count, uptr caller) {
  auto* question = memory::make<Question>();
  question->references = static_cast<u32>(count) + 1;
  for (usize i = 0; i < count; ++i) {
    auto* answer = memory::make<Answer>();
    *answer = {question, static_cast<Completion*>(completions[i]), caller};
    ++answer->completion->unanswered;
    u32 actor = start_apart(thread, {give_answer, answer, nullptr, nullptr}, "candidate of an ewait", caller);
    if (i == 0) question->name = uptr{1} << 62 | actor;  // higher than any address
  }
  wait_until(answered, *question, "waits for one task of a region", caller);
  {
    RuntimeScope scope(thread);
    rt().order.await(*thread.context->task, question->answer);
  }
  Completion* taken = question->taken;
  release(question);
  acquire_end(&thread, *taken);
  for (usize i = 0; i < count; ++i)
    if (completions[i] == taken) return i;
  __builtin_unreachable();
}

}  // namespace heddle::async
