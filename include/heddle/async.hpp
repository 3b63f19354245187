// Task parallelism as in Habanero and X10: async, finish, futures, isolated, forall, regions. Header-only, C++20.
//
//   heddle::finish([&] {
//     heddle::async([&] { left = sum(0, n / 2); });       // may run in parallel with what follows
//     right = sum(n / 2, n);
//   });                                                   // waits for all tasks made inside, descendants too
//   use(left + right);
//
// Compiled as usual, tasks run on oneTBB, which steals work (link with -ltbb). Compiled by `heddle c++`, they go to
// Heddle's runtime instead: `heddle run` sees the order that the program states, `heddle prove` tries the orders that
// matter. docs/async.md says what each construct means for that order.
//
// Thread safety: everything may be called from any task or thread. A future may be copied and asked by many at once;
// a region belongs to the task that posts to it (what others post is theirs).
#pragma once

#include <concepts>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// Two parts of a program that were compiled differently must not meet: the linker sees different names.
#ifdef HEDDLE
#include "heddle/detail/on_heddle.hpp"
#define HEDDLE_ASYNC_BACKEND checked
#else
#include "heddle/detail/on_tbb.hpp"
#define HEDDLE_ASYNC_BACKEND on_tbb
#endif

namespace heddle {
inline namespace HEDDLE_ASYNC_BACKEND {

// What a finish or an await throws when several of its tasks have thrown; a single exception is thrown as it is.
class multiple_exceptions : public std::exception {
 public:
  explicit multiple_exceptions(std::vector<std::exception_ptr> all) : all_(std::move(all)) {}
  const std::vector<std::exception_ptr>& exceptions() const noexcept { return all_; }
  const char* what() const noexcept override { return "several tasks have thrown"; }

 private:
  std::vector<std::exception_ptr> all_;
};

class region;

namespace detail {

// A task posted to a region, until it is joined.
class Posted;
struct Owned {
  const region* where;
  Posted* task;
};

// The state of a running task, on the stack of the thread that runs it.
struct Task {
  Finish* finish = nullptr;  // the innermost around it
  std::vector<Owned> owned;  // posted and not joined yet, in the order of posting
  bool isolated = false;
  std::vector<const void*> objects;  // of the isolated section; none: it excludes all others
};

inline Task& current_task() {
  if (void* task = current()) return *static_cast<Task*>(task);
  thread_local Task root;
  return root;
}

class Running {
 public:
  explicit Running(Task& task) : outer_(current()) { set_current(&task); }
  ~Running() { set_current(outer_); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  void* outer_;
};

// A section must not wait for tasks while others wait for the section; so no task operation is allowed there.
inline Task& outside_of_isolated(const char* what) {
  Task& task = current_task();
  if (task.isolated) throw std::logic_error(std::string("heddle: ") + what + " inside isolated");
  return task;
}

inline Finish& finish_around(const Task& task, const char* what) {
  if (!task.finish)
    throw std::logic_error(std::string("heddle: ") + what +
                           " outside of finish: nobody would wait for the task");
  return *task.finish;
}

inline void rethrow(std::vector<std::exception_ptr> failures) {
  if (failures.empty()) return;
  if (failures.size() == 1) std::rethrow_exception(failures.front());
  throw multiple_exceptions(std::move(failures));
}

// Whatever a task still owns at its end is waited for.
inline void await_all_owned(Task& task);

template <class Body>
struct Spawned {
  Finish* finish;
  Body body;

  static void run(void* data) {
    std::unique_ptr<Spawned> self(static_cast<Spawned*>(data));
    Finish* finish = self->finish;
    Task me;
    me.finish = finish;
    Running running(me);
    try {
      self->body();
      self.reset();
      await_all_owned(me);
    } catch (...) {
      finish->fail(std::current_exception());
    }
  }
};

template <class Body>
void spawn(Finish& finish, Kind kind, Body body) {
  using Made = Spawned<Body>;
  finish.spawn(kind, &Made::run, new Made{&finish, std::move(body)});
}

// What a task with a result leaves behind: a value or an exception.
template <class T>
class Result {
 public:
  template <class Body>
  void take_from(Body& body) noexcept {
    try {
      value_.emplace(body());
    } catch (...) {
      exception_ = std::current_exception();
    }
  }
  void fail(std::exception_ptr exception) { exception_ = std::move(exception); }
  const std::exception_ptr& exception() const { return exception_; }
  const T& value() const { return *value_; }
  T& value() { return *value_; }

 private:
  std::optional<T> value_;
  std::exception_ptr exception_;
};

template <>
class Result<void> {
 public:
  template <class Body>
  void take_from(Body& body) noexcept {
    try {
      body();
    } catch (...) {
      exception_ = std::current_exception();
    }
  }
  void fail(std::exception_ptr exception) { exception_ = std::move(exception); }
  const std::exception_ptr& exception() const { return exception_; }

 private:
  std::exception_ptr exception_;
};

// Does the destruction of what a task leaves behind run no code of the program? Then it does not matter who destroys
// it.
template <class T>
constexpr bool kEndsQuietly = std::is_void_v<T> || std::is_trivially_destructible_v<T>;

}  // namespace detail

// --- finish and async ----------------------------------------------------------------------------------------------

// Runs the body, then waits for every task made inside and for their descendants. What they threw, it throws.
template <std::invocable Body>
void finish(Body&& body) {
  detail::Task& me = detail::outside_of_isolated("finish");
  detail::Finish scope;
  detail::Finish* outer = std::exchange(me.finish, &scope);
  scope.run([&] {
    try {
      body();
    } catch (...) {
      scope.fail(std::current_exception());
    }
  });
  detail::set_current(&me);
  me.finish = outer;
  detail::rethrow(scope.failures());
}

template <class T>
class future;

// Makes a task that runs the body, which is copied or moved in; the innermost finish around waits for it. If the body
// returns a value, async returns a future of it.
template <class F>
auto async(F&& body) {
  using Body = std::decay_t<F>;
  using T = std::invoke_result_t<Body&>;
  if constexpr (std::is_void_v<T>) {
    detail::Task& me = detail::outside_of_isolated("async");
    detail::spawn(detail::finish_around(me, "async"), detail::Kind::kAsync, Body(std::forward<F>(body)));
  } else {
    return future<std::decay_t<T>>(std::forward<F>(body));
  }
}

// --- futures -------------------------------------------------------------------------------------------------------

// The value of a task. get() waits for the task and returns its value, or throws what it has thrown (a finish does
// not). Copies stand for the same task.
template <class T>
class future {
 public:
  future() = default;

  // Makes the task. The innermost finish around waits for it, too.
  template <class F>
  requires(!std::same_as<std::decay_t<F>, future> &&
           std::invocable<std::decay_t<F>&>) explicit future(F&& body) {
    detail::Task& me = detail::outside_of_isolated("a future");
    detail::Finish& finish = detail::finish_around(me, "a future");
    using Body = std::decay_t<F>;
    struct Made final : State {
      explicit Made(F&& f) : body(std::forward<F>(f)) {}
      std::optional<Body> body;
      void run() override {
        this->result.take_from(*body);
        body.reset();
      }
    };
    auto made = std::make_unique<Made>(std::forward<F>(body));
    made->finish = &finish;
    made->done = detail::spawn_named(&finish, detail::Kind::kFuture, &State::start, made.get(),
                                     {&State::drop, detail::kEndsQuietly<T>});
    state_ = made.release();
  }

  future(const future& other) : state_(other.state_) {
    if (state_) state_->done->retain();
  }
  future(future&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  future& operator=(future other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~future() {
    if (state_) state_->done->release();
  }

  bool valid() const { return state_ != nullptr; }

  using reference = std::conditional_t<std::is_void_v<T>, void, std::add_lvalue_reference_t<const T>>;
  reference get() const {
    if (!state_) throw std::logic_error("heddle: get() of a future without a task");
    detail::Task& me = detail::outside_of_isolated("get()");
    detail::Completion* done = state_->done;
    detail::wait_for_all(&done, 1);
    detail::set_current(&me);
    if (state_->result.exception()) std::rethrow_exception(state_->result.exception());
    if constexpr (!std::is_void_v<T>) return state_->result.value();
  }

 private:
  struct State {
    detail::Finish* finish = nullptr;
    detail::Completion* done = nullptr;
    detail::Result<T> result;

    virtual ~State() = default;
    virtual void run() = 0;

    static void start(void* data) {
      auto* self = static_cast<State*>(data);
      detail::Task me;
      me.finish = self->finish;
      detail::Running running(me);
      self->run();
      try {
        detail::await_all_owned(me);
      } catch (...) {
        self->result.fail(std::current_exception());
      }
    }
    static void drop(void* data) { delete static_cast<State*>(data); }
  };

  State* state_ = nullptr;
};

template <class F>
explicit future(F) -> future<std::decay_t<std::invoke_result_t<F&>>>;

// --- isolated ------------------------------------------------------------------------------------------------------

namespace detail {

// Ascending, each once: the order in which objects are taken.
inline std::vector<const void*> sorted_objects(const void* const* objects, std::size_t count) {
  std::vector<const void*> sorted;
  for (std::size_t i = 0; i < count; ++i) {
    auto at = sorted.begin();
    while (at != sorted.end() && std::less<>()(*at, objects[i])) ++at;
    if (at == sorted.end() || *at != objects[i]) sorted.insert(at, objects[i]);
  }
  return sorted;
}

// Does the task's current section exclude all that the inner one must exclude?
inline bool covers(const Task& task, const void* const* objects, std::size_t count) {
  if (task.objects.empty()) return true;
  for (std::size_t i = 0; i < count; ++i) {
    bool held = false;
    for (const void* object : task.objects) held = held || object == objects[i];
    if (!held) return false;
  }
  return count > 0;
}

class Section {
 public:
  Section(Task& task, const void* const* objects, std::size_t count) : task_(task) {
    task.objects = sorted_objects(objects, count);
    enter_isolated(task.objects.data(), task.objects.size());
    task.isolated = true;
  }
  ~Section() {
    task_.isolated = false;
    leave_isolated(task_.objects.data(), task_.objects.size());
    task_.objects.clear();
  }
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

 private:
  Task& task_;
};

template <class Body>
decltype(auto) run_isolated(const void* const* objects, std::size_t count, Body& body) {
  Task& me = current_task();
  if (me.isolated) {
    if (!covers(me, objects, count))
      throw std::logic_error("heddle: isolated inside isolated asks for more than the outer one");
    return body();
  }
  Section section(me, objects, count);
  return body();
}

}  // namespace detail

// Runs the body while no other isolated section runs, on objects or not. Returns what the body returns.
template <std::invocable Body>
decltype(auto) isolated(Body&& body) {
  return detail::run_isolated(nullptr, 0, body);
}

// isolated(a, b, body): excludes only sections that name a or b, and those that name nothing. All objects are taken
// at once, so no two sections wait for each other. An object is anything with an address.
template <class First, class Second, class... More>
decltype(auto) isolated(First&& first, Second&& second, More&&... more) {
  auto all = std::forward_as_tuple(first, second, more...);
  constexpr std::size_t count = 1 + sizeof...(More);
  return [&]<std::size_t... i>(std::index_sequence<i...>)->decltype(auto) {
    const void* objects[] = {static_cast<const void*>(std::addressof(std::get<i>(all)))...};
    return detail::run_isolated(objects, count, std::get<count>(all));
  }
  (std::make_index_sequence<count>());
}

// --- forall and forasync -------------------------------------------------------------------------------------------

// How iterations become tasks: each one its own (the default), or neighbouring ones together, `size` to a task. In
// two dimensions a task gets a block of `size` times `columns`.
struct grouped {
  explicit grouped(long rows) : size(rows) {}
  grouped(long rows, long cols) : size(rows), columns(cols) {}
  long size;
  long columns = 1;
};

// begin <= i < end
struct extent {
  extent(long size) : end(size) {}  // NOLINT(google-explicit-constructor): forall(rows, columns, body)
  extent(long from, long to) : begin(from), end(to) {}
  long begin = 0;
  long end;
};

namespace detail {

inline long group_size(long asked) {
  if (asked < 1) throw std::invalid_argument("heddle: a group has at least one iteration");
  return asked;
}

inline long lesser(long a, long b) { return a < b ? a : b; }

enum class Loop { kForall, kForasync };

// What each task keeps of the body: forall waits, so a reference will do; forasync gives each a copy.
template <Loop loop, class Body>
auto shared_by_tasks(Body& body) {
  if constexpr (loop == Loop::kForall)
    return [&body](auto&&... index) { body(std::forward<decltype(index)>(index)...); };
  else
    return std::decay_t<Body>(body);
}

template <Loop loop>
constexpr Kind iteration = loop == Loop::kForall ? Kind::kForallIteration : Kind::kForasyncIteration;
template <Loop loop>
constexpr Kind group_of = loop == Loop::kForall ? Kind::kForallGroup : Kind::kForasyncGroup;

template <Loop loop, class Body>
void spawn_iterations(Finish& finish, extent range, Body& body) {
  for (long i = range.begin; i < range.end; ++i)
    spawn(finish, iteration<loop>, [i, each = shared_by_tasks<loop>(body)]() mutable { each(i); });
}

template <Loop loop, class Body>
void spawn_iterations(Finish& finish, extent range, grouped groups, Body& body) {
  const long size = group_size(groups.size);
  for (long begin = range.begin; begin < range.end; begin += size) {
    const long end = lesser(range.end, begin + size);
    spawn(finish, group_of<loop>, [begin, end, each = shared_by_tasks<loop>(body)]() mutable {
      for (long i = begin; i < end; ++i) each(i);
    });
  }
}

template <Loop loop, class Body>
void spawn_iterations(Finish& finish, extent rows, extent columns, Body& body) {
  for (long i = rows.begin; i < rows.end; ++i)
    for (long j = columns.begin; j < columns.end; ++j)
      spawn(finish, iteration<loop>, [i, j, each = shared_by_tasks<loop>(body)]() mutable { each(i, j); });
}

template <Loop loop, class Body>
void spawn_iterations(Finish& finish, extent rows, extent columns, grouped groups, Body& body) {
  const long height = group_size(groups.size), width = group_size(groups.columns);
  for (long top = rows.begin; top < rows.end; top += height)
    for (long left = columns.begin; left < columns.end; left += width) {
      const extent block_rows(top, lesser(rows.end, top + height));
      const extent block_columns(left, lesser(columns.end, left + width));
      spawn(finish, group_of<loop>,
            [block_rows, block_columns, each = shared_by_tasks<loop>(body)]() mutable {
              for (long i = block_rows.begin; i < block_rows.end; ++i)
                for (long j = block_columns.begin; j < block_columns.end; ++j) each(i, j);
            });
    }
}

// Whatever a range-based for takes, with iterators that may be kept.
template <class Range>
concept Iterable = requires(Range& range) {
  requires std::forward_iterator<decltype(std::begin(range))>;
  std::begin(range) != std::end(range);
};

template <Loop loop, Iterable Range, class Body>
void spawn_elements(Finish& finish, Range& range, Body& body) {
  for (auto at = std::begin(range); at != std::end(range); ++at)
    spawn(finish, iteration<loop>, [at, each = shared_by_tasks<loop>(body)]() mutable { each(*at); });
}

template <Loop loop, Iterable Range, class Body>
void spawn_elements(Finish& finish, Range& range, grouped groups, Body& body) {
  const long size = group_size(groups.size);
  for (auto at = std::begin(range); at != std::end(range);) {
    const auto begin = at;
    long count = 0;
    for (; count < size && at != std::end(range); ++count) ++at;
    spawn(finish, group_of<loop>, [begin, count, each = shared_by_tasks<loop>(body)]() mutable {
      auto element = begin;
      for (long i = 0; i < count; ++i, ++element) each(*element);
    });
  }
}

inline Finish& finish_for_loop() { return finish_around(outside_of_isolated("forasync"), "forasync"); }

}  // namespace detail

// One task for each iteration (or group of them); waits for all.
template <std::integral I, std::integral J, class Body>
requires std::invocable<Body&, long>
void forall(I begin, J end, Body&& body) {
  finish([&] {
    detail::spawn_iterations<detail::Loop::kForall>(
        *detail::current_task().finish, extent(static_cast<long>(begin), static_cast<long>(end)), body);
  });
}
template <std::integral I, std::integral J, class Body>
requires std::invocable<Body&, long>
void forall(I begin, J end, grouped groups, Body&& body) {
  finish([&] {
    detail::spawn_iterations<detail::Loop::kForall>(*detail::current_task().finish,
                                                    extent(static_cast<long>(begin), static_cast<long>(end)),
                                                    groups, body);
  });
}
// Two dimensions: body(row, column).
template <class Body>
requires std::invocable<Body&, long, long>
void forall(extent rows, extent columns, Body&& body) {
  finish([&] {
    detail::spawn_iterations<detail::Loop::kForall>(*detail::current_task().finish, rows, columns, body);
  });
}
template <class Body>
requires std::invocable<Body&, long, long>
void forall(extent rows, extent columns, grouped groups, Body&& body) {
  finish([&] {
    detail::spawn_iterations<detail::Loop::kForall>(*detail::current_task().finish, rows, columns, groups,
                                                    body);
  });
}
// The elements of a range, by reference.
template <detail::Iterable Range, class Body>
void forall(Range&& range, Body&& body) {
  finish([&] { detail::spawn_elements<detail::Loop::kForall>(*detail::current_task().finish, range, body); });
}
template <detail::Iterable Range, class Body>
void forall(Range&& range, grouped groups, Body&& body) {
  finish([&] {
    detail::spawn_elements<detail::Loop::kForall>(*detail::current_task().finish, range, groups, body);
  });
}

// The same without waiting: the innermost finish around waits. Each task has a copy of the body; a range must outlive
// the tasks.
template <std::integral I, std::integral J, class Body>
requires std::invocable<Body&, long>
void forasync(I begin, J end, Body&& body) {
  detail::spawn_iterations<detail::Loop::kForasync>(
      detail::finish_for_loop(), extent(static_cast<long>(begin), static_cast<long>(end)), body);
}
template <std::integral I, std::integral J, class Body>
requires std::invocable<Body&, long>
void forasync(I begin, J end, grouped groups, Body&& body) {
  detail::spawn_iterations<detail::Loop::kForasync>(
      detail::finish_for_loop(), extent(static_cast<long>(begin), static_cast<long>(end)), groups, body);
}
template <class Body>
requires std::invocable<Body&, long, long>
void forasync(extent rows, extent columns, Body&& body) {
  detail::spawn_iterations<detail::Loop::kForasync>(detail::finish_for_loop(), rows, columns, body);
}
template <class Body>
requires std::invocable<Body&, long, long>
void forasync(extent rows, extent columns, grouped groups, Body&& body) {
  detail::spawn_iterations<detail::Loop::kForasync>(detail::finish_for_loop(), rows, columns, groups, body);
}
template <detail::Iterable Range, class Body>
void forasync(Range& range, Body&& body) {
  detail::spawn_elements<detail::Loop::kForasync>(detail::finish_for_loop(), range, body);
}
template <detail::Iterable Range, class Body>
void forasync(Range& range, grouped groups, Body&& body) {
  detail::spawn_elements<detail::Loop::kForasync>(detail::finish_for_loop(), range, groups, body);
}

// --- regions -------------------------------------------------------------------------------------------------------

// Tasks that are joined by name, as in Nakade et al., Model-checking Task Parallel Programs for Data-race (2018).
// post() makes one; await() joins all that the calling task has posted here, ewait() whichever of them completes
// first. The handler of a task then runs in the task that joins it, with the value that the body returned.
//
//   heddle::region r;
//   for (int i = 0; i < 4; ++i) r.post([=] { return work(i); }, [&](int value) { sum += value; });
//   r.await();
//
// await() waits for all first and then runs the handlers in the order of posting. What a posted task has itself
// posted and not joined is passed on to the task that joins it; any other task waits at its end for what it has
// posted. A finish around waits for posted tasks, too, but runs no handler. A region must live until its tasks are
// joined: its destructor awaits.
class region {
 public:
  region() = default;
  region(const region&) = delete;
  region& operator=(const region&) = delete;
  ~region() noexcept(false);

  template <class F>
  void post(F&& body);
  template <class F, class Handler>
  void post(F&& body, Handler&& handler);

  void await();
  // Does nothing when there is nothing to join.
  void ewait();
  // How many tasks the calling task could join here. Those that its tasks have posted count once these are joined.
  std::size_t size() const;

 private:
  template <class Made>
  void start(std::unique_ptr<Made> made);
};

namespace detail {

class Posted {
 public:
  virtual ~Posted() = default;
  virtual void run() = 0;
  // Called by the joining task: throws the body's exception, or calls the handler.
  virtual void deliver() = 0;

  static void start(void* data) {
    auto* self = static_cast<Posted*>(data);
    Task me;
    me.finish = self->finish;
    Running running(me);
    self->run();
    self->left_behind = std::move(me.owned);
  }
  static void drop(void* data) { delete static_cast<Posted*>(data); }

  Finish* finish = nullptr;
  Completion* done = nullptr;
  std::vector<Owned> left_behind;
};

template <class Body, class Handler>
class PostedWith final : public Posted {
 public:
  template <class F, class H>
  PostedWith(F&& f, H&& h) : body_(std::forward<F>(f)), handler_(std::forward<H>(h)) {}

  void run() override {
    result_.take_from(*body_);
    body_.reset();
  }
  static constexpr bool kEndsQuietly =
      detail::kEndsQuietly<std::invoke_result_t<Body&>> && detail::kEndsQuietly<Handler>;

  void deliver() override {
    if (result_.exception()) std::rethrow_exception(result_.exception());
    if constexpr (std::is_void_v<T>)
      handler_();
    else
      handler_(std::move(result_.value()));
  }

 private:
  using T = std::invoke_result_t<Body&>;
  std::optional<Body> body_;
  Handler handler_;
  Result<T> result_;
};

inline void deliver(Posted* task, std::vector<std::exception_ptr>& failures) {
  try {
    task->deliver();
  } catch (...) {
    failures.push_back(std::current_exception());
  }
  task->done->release();
}

// Those that `me` has posted there; they are no longer in its list.
inline std::vector<Posted*> take(Task& me, const region* where) {
  std::vector<Posted*> tasks;
  for (const Owned& owned : me.owned)
    if (owned.where == where) tasks.push_back(owned.task);
  std::erase_if(me.owned, [&](const Owned& owned) { return owned.where == where; });
  return tasks;
}

inline void inherit(Task& me, Posted& joined) {
  me.owned.insert(me.owned.end(), joined.left_behind.begin(), joined.left_behind.end());
  joined.left_behind.clear();
}

inline void await_region(Task& me, const region* where, std::vector<std::exception_ptr>& failures) {
  for (std::vector<Posted*> tasks = take(me, where); !tasks.empty(); tasks = take(me, where)) {
    std::vector<Completion*> done;
    for (const Posted* task : tasks) done.push_back(task->done);
    wait_for_all(done.data(), done.size());
    set_current(&me);
    for (Posted* task : tasks) inherit(me, *task);
    for (Posted* task : tasks) deliver(task, failures);
  }
}

inline void await_all_owned(Task& me) {
  std::vector<std::exception_ptr> failures;
  while (!me.owned.empty()) await_region(me, me.owned.front().where, failures);
  rethrow(std::move(failures));
}

}  // namespace detail

inline void region::await() {
  detail::Task& me = detail::outside_of_isolated("await");
  std::vector<std::exception_ptr> failures;
  detail::await_region(me, this, failures);
  detail::rethrow(std::move(failures));
}

inline void region::ewait() {
  detail::Task& me = detail::outside_of_isolated("ewait");
  std::vector<detail::Completion*> done;
  for (const detail::Owned& owned : me.owned)
    if (owned.where == this) done.push_back(owned.task->done);
  if (done.empty()) return;
  detail::Completion* chosen = done[detail::wait_for_one(done.data(), done.size())];
  detail::set_current(&me);
  auto at = me.owned.begin();
  while (at->task->done != chosen) ++at;
  detail::Posted* task = at->task;
  me.owned.erase(at);
  detail::inherit(me, *task);
  std::vector<std::exception_ptr> failures;
  detail::deliver(task, failures);
  detail::rethrow(std::move(failures));
}

inline std::size_t region::size() const {
  std::size_t count = 0;
  for (const detail::Owned& owned : detail::current_task().owned) count += owned.where == this;
  return count;
}

inline region::~region() noexcept(false) {
  const int unwinding = std::uncaught_exceptions();
  try {
    await();
  } catch (...) {
    if (unwinding == 0) throw;
  }
}

template <class Made>
void region::start(std::unique_ptr<Made> made) {
  detail::Task& me = detail::outside_of_isolated("post");
  made->finish = me.finish;
  me.owned.reserve(me.owned.size() + 1);
  made->done = detail::spawn_named(me.finish, detail::Kind::kPosted, &detail::Posted::start,
                                   static_cast<detail::Posted*>(made.get()),
                                   {&detail::Posted::drop, Made::kEndsQuietly});
  me.owned.push_back({this, made.release()});
}

template <class F>
void region::post(F&& body) {
  post(std::forward<F>(body), [](auto&&...) {});
}

template <class F, class Handler>
void region::post(F&& body, Handler&& handler) {
  start(std::make_unique<detail::PostedWith<std::decay_t<F>, std::decay_t<Handler>>>(
      std::forward<F>(body), std::forward<Handler>(handler)));
}

}  // namespace HEDDLE_ASYNC_BACKEND
}  // namespace heddle
