// Bug patterns with threads, locks and atomic variables, and their safe look-alikes.
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

#include "patterns.hpp"

long account = 0;  // for --atomic=var:account

namespace {

template <class... Bodies>
void in_parallel(Bodies... bodies) {
  std::thread threads[] = {std::thread(bodies)...};
  for (std::thread& thread : threads) thread.join();
}

std::mutex mutex, other_mutex;
long shared_value = 0, other_value = 0;

// --- lost updates --------------------------------------------------------------------------------------------------

// expect: confirmed output
void lost_update() {
  auto add = [] {
    long seen = shared_value;
    shared_value = seen + 1;
  };
  in_parallel(add, add);
  std::printf("%ld\n", shared_value);
}

// expect: confirmed output
void lost_update_of_three() {
  auto add = [] { shared_value += 1; };
  in_parallel(add, add, add);
  std::printf("%ld\n", shared_value);
}

// expect: confirmed output
void lost_update_one_forgets_the_lock() {
  in_parallel(
      [] {
        std::lock_guard guard(mutex);
        shared_value += 1;
      },
      [] { shared_value += 10; });
  std::printf("%ld\n", shared_value);
}

// expect: confirmed output
void lost_update_under_two_locks() {
  in_parallel(
      [] {
        std::lock_guard guard(mutex);
        shared_value += 1;
      },
      [] {
        std::lock_guard guard(other_mutex);
        shared_value += 10;
      });
  std::printf("%ld\n", shared_value);
}

// expect: confirmed output
void lost_update_under_a_reader_lock() {
  static std::shared_mutex readers;
  auto add = [] {
    std::shared_lock guard(readers);
    shared_value += 1;
  };
  in_parallel(add, add);
  std::printf("%ld\n", shared_value);
}

// expect: clean
void counter_under_a_lock() {
  auto add = [] {
    std::lock_guard guard(mutex);
    shared_value += 1;
  };
  in_parallel(add, add);
  std::printf("%ld\n", shared_value);
}

// expect: confirmed output
void lost_update_far_away() {
  in_parallel(
      [] {
        for (int i = 0; i < 20; ++i) {
          std::lock_guard guard(mutex);
          other_value += i;
        }
        shared_value += 1;
      },
      [] { shared_value += 1; });
  std::printf("%ld\n", shared_value);
}

// --- check, then act -----------------------------------------------------------------------------------------------

volatile long balance = 100;

// expect: confirmed output
void withdraw_twice() {
  static std::atomic<int> paid{0};
  auto withdraw = [] {
    if (balance < 80) return;
    balance = balance - 80;
    paid += 80;
  };
  in_parallel(withdraw, withdraw);
  std::printf("%d\n", paid.load());
}

// expect: confirmed assertion
// options: --stop-on=assert
void withdraw_twice_and_check() {
  auto withdraw = [] {
    if (balance < 80) return;
    balance = balance - 80;
  };
  in_parallel(withdraw, withdraw);
  assert(balance >= 0);
}

// expect: confirmed crash
// options: --stop-on=crash
void use_after_reset() {
  static std::string* volatile text = new std::string("text");
  in_parallel([] { text = nullptr; },
              [] {
                if (text) shared_value = static_cast<long>(text->size());
              });
}

// expect: confirmed none
void use_after_free() {
  static long* block = new long(1);
  in_parallel([] { delete block; }, [] { shared_value = *block; });
}

// expect: confirmed output
void create_file_once() {
  static bool created = false;
  static int files = 0;
  auto create = [] {
    if (!created) {
      created = true;
      std::lock_guard guard(mutex);
      ++files;
    }
  };
  in_parallel(create, create);
  std::printf("%d\n", files);
}

// --- double-checked locking, publication ---------------------------------------------------------------------------

struct Config {
  int size = 0;
};
Config* config = nullptr;

// expect: confirmed none
void double_checked_locking() {
  auto get = [] {
    if (!config) {
      std::lock_guard guard(mutex);
      if (!config) config = new Config{7};
    }
    return config->size;
  };
  in_parallel([=] { get(); }, [=] { get(); });
}

// expect: clean
void double_checked_locking_with_an_atomic() {
  static std::atomic<Config*> safe{nullptr};
  auto get = [] {
    Config* seen = safe.load(std::memory_order_acquire);
    if (!seen) {
      std::lock_guard guard(mutex);
      seen = safe.load(std::memory_order_relaxed);
      if (!seen) safe.store(seen = new Config{7}, std::memory_order_release);
    }
    return seen->size;
  };
  in_parallel([=] { get(); }, [=] { get(); });
}

// expect: confirmed crash
// options: --stop-on=crash
void unsafe_publication() {
  static bool ready = false;
  in_parallel(
      [] {
        ready = true;
        config = new Config{7};
      },
      [] {
        if (ready) shared_value = config->size;
      });
}

// A race by the rules of the language; but no order of whole steps brings the two accesses side by side. The witness
// has one after the other, and nothing that orders them.
// expect: confirmed none
void publication_with_a_relaxed_flag() {
  static std::atomic<bool> ready{false};
  in_parallel(
      [] {
        shared_value = 7;
        ready.store(true, std::memory_order_relaxed);
      },
      [] {
        while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();
        other_value = shared_value;
      });
}

// expect: clean
void publication_with_release() {
  static std::atomic<bool> ready{false};
  in_parallel(
      [] {
        shared_value = 7;
        ready.store(true, std::memory_order_release);
      },
      [] {
        while (!ready.load(std::memory_order_acquire)) std::this_thread::yield();
        other_value = shared_value;
      });
}

// --- what only some values, or some orders, let happen -------------------------------------------------------------

int turn = 0;

// expect: refuted
void hand_over_under_a_lock() {
  in_parallel(
      [] {
        shared_value = 7;
        std::lock_guard guard(mutex);
        turn = 1;
      },
      [] {
        bool mine = false;
        {
          std::lock_guard guard(mutex);
          mine = turn == 1;
        }
        if (mine) other_value = shared_value;
      });
}

// Who comes too early crashes, and the other thread's accesses are in none of these orders.
// expect: undecided
void hand_over_or_crash() {
  in_parallel(
      [] {
        shared_value = 7;
        std::lock_guard guard(mutex);
        turn = 1;
      },
      [] {
        bool mine = false;
        {
          std::lock_guard guard(mutex);
          mine = turn == 1;
        }
        if (!mine) std::abort();
        other_value = shared_value;
      });
}

// expect: refuted
void ping_pong() {
  auto play = [](int who) {
    for (int i = 0; i < 2; ++i)
      for (bool done = false; !done; std::this_thread::yield()) {
        {
          std::lock_guard guard(mutex);
          done = turn == who;
        }
        if (!done) continue;
        shared_value += 1;
        std::lock_guard guard(mutex);
        turn = 1 - who;
      }
  };
  in_parallel([=] { play(0); }, [=] { play(1); });
  std::printf("%ld\n", shared_value);
}

// expect: refuted
void queue_of_one() {
  static long* slot = nullptr;
  in_parallel(
      [] {
        auto* item = new long(1);
        *item = 5;
        std::lock_guard guard(mutex);
        slot = item;
      },
      [] {
        long* item = nullptr;
        {
          std::lock_guard guard(mutex);
          item = slot;
        }
        if (item) other_value = *item;
      });
}

// expect: confirmed none
void queue_that_gives_too_early() {
  static long* slot = nullptr;
  in_parallel(
      [] {
        auto* item = new long(1);
        {
          std::lock_guard guard(mutex);
          slot = item;
        }
        *item = 5;
      },
      [] {
        long* item = nullptr;
        {
          std::lock_guard guard(mutex);
          item = slot;
        }
        if (item) other_value = *item;
      });
}

// expect: confirmed none
void only_if_the_other_was_first() {
  in_parallel(
      [] {
        std::lock_guard guard(mutex);
        turn = 1;
      },
      [] {
        bool set;
        {
          std::lock_guard guard(mutex);
          set = turn;
        }
        if (set) shared_value = 1;
      },
      [] { shared_value = 2; });
}

// expect: clean
void started_one_after_the_other() {
  std::thread first([] { shared_value = 1; });
  first.join();
  std::thread second([] { shared_value = 2; });
  second.join();
}

// --- waiting -------------------------------------------------------------------------------------------------------

std::condition_variable condition;

// expect: confirmed deadlock
// options: --stop-on=output
void missed_notification() {
  static bool ready = false;
  in_parallel(
      [] {
        ready = true;
        condition.notify_one();
      },
      [] {
        std::unique_lock guard(mutex);
        if (!ready) condition.wait(guard);
      });
}

// expect: clean
void notification_under_the_lock() {
  static bool ready = false;
  in_parallel(
      [] {
        std::lock_guard guard(mutex);
        ready = true;
        condition.notify_one();
      },
      [] {
        std::unique_lock guard(mutex);
        condition.wait(guard, [] { return ready; });
      });
}

// expect: confirmed none
void flag_that_is_polled() {
  static bool stop = false;
  in_parallel([] { stop = true; },
              [] {
                for (int i = 0; i < 10 && !stop; ++i) std::this_thread::yield();
              });
}

// --- containers ----------------------------------------------------------------------------------------------------

// expect: confirmed none
void iterator_invalidation() {
  static std::vector<long> items(4, 1);
  in_parallel([] { items.push_back(2); },
              [] {
                for (long item : items) shared_value += item;
              });
}

// expect: confirmed none
void map_changed_while_read() {
  static std::map<long, long> items{{1, 1}, {2, 2}};
  in_parallel([] { items[3] = 3; },
              [] {
                for (const auto& item : items) shared_value += item.second;
              });
}

struct Link {
  long value;
  Link* next;
};

// expect: confirmed output
void list_grown_by_two() {
  static Link* head = nullptr;
  auto grow = [] { head = new Link{1, head}; };
  in_parallel(grow, grow);
  int length = 0;
  for (const Link* link = head; link; link = link->next) ++length;
  std::printf("%d\n", length);
}

// expect: confirmed crash
// options: --stop-on=crash
void slot_cleared_while_read() {
  static long one = 1;
  static long* volatile slots[] = {&one};
  in_parallel([] { slots[0] = nullptr; },
              [] {
                if (slots[0]) shared_value = *slots[0];
              });
}

// --- lock-free -----------------------------------------------------------------------------------------------------

struct Node {
  std::atomic<Node*> next;
};
std::atomic<Node*> top{nullptr};

Node* pop() {
  Node* seen = top.load();
  while (seen) {
    Node* next = seen->next.load();
    if (top.compare_exchange_strong(seen, next)) break;
  }
  return seen;
}
void push(Node* node) {
  Node* seen = top.load();
  do node->next.store(seen);
  while (!top.compare_exchange_strong(seen, node));
}

// expect: confirmed assertion
// options: --stop-on=assert
void aba() {
  static Node nodes[2];
  push(&nodes[0]);
  push(&nodes[1]);
  static Node* taken[2];
  in_parallel([] { taken[0] = pop(); },
              [] {
                Node* first = pop();
                taken[1] = pop();
                if (first) push(first);
              });
  for (Node* node = pop(); node; node = pop()) assert(node != taken[0] && node != taken[1]);
}

// expect: confirmed output
// options: --stop-on=output
void spin_lock_that_does_not_exclude() {
  static std::atomic<int> taken{0}, guarded{0};
  auto add = [] {
    if (taken.load() == 0) taken.store(1);
    guarded.store(guarded.load() + 1);
    taken.store(0);
  };
  in_parallel(add, add);
  std::printf("%d\n", guarded.load());
}

// --- what is meant to be atomic ------------------------------------------------------------------------------------

// expect: confirmed output
// options: --check=race,atomicity --atomic=var:account
void update_in_two_critical_sections() {
  auto deposit = [] {
    long seen;
    {
      std::lock_guard guard(mutex);
      seen = account;
    }
    std::lock_guard guard(mutex);
    account = seen + 1;
  };
  in_parallel(deposit, deposit);
  std::printf("%ld\n", account);
}

// expect: confirmed assertion
// options: --check=race,atomicity --atomic=var:account --stop-on=assert
void check_then_act_in_two_critical_sections() {
  account = 100;
  auto withdraw = [] {
    {
      std::lock_guard guard(mutex);
      if (account < 80) return;
    }
    std::lock_guard guard(mutex);
    account -= 80;
  };
  in_parallel(withdraw, withdraw);
  assert(account >= 0);
}

// expect: clean
// options: --check=race,atomicity --atomic=var:account
void update_in_one_critical_section() {
  auto deposit = [] {
    std::lock_guard guard(mutex);
    long seen = account;
    account = seen + 1;
  };
  in_parallel(deposit, deposit);
  std::printf("%ld\n", account);
}

// The intruder comes only when the other is done with both.
// expect: refuted
// options: --check=race,atomicity --atomic=var:account
void update_in_two_critical_sections_in_turns() {
  static bool done = false;
  in_parallel(
      [] {
        long seen;
        {
          std::lock_guard guard(mutex);
          seen = account;
        }
        std::lock_guard guard(mutex);
        account = seen + 1;
        done = true;
      },
      [] {
        std::lock_guard guard(mutex);
        if (done) account += 1;
      });
  std::printf("%ld\n", account);
}

// --- locks in different orders -------------------------------------------------------------------------------------

std::mutex forks[5];

void eat(int left, int right) {
  std::lock_guard first(forks[left]);
  std::lock_guard second(forks[right]);
}

// expect: confirmed deadlock
// options: --check=deadlock
void lock_order_inversion() {
  in_parallel(
      [] {
        std::lock_guard first(mutex);
        std::lock_guard second(other_mutex);
      },
      [] {
        std::lock_guard first(other_mutex);
        std::lock_guard second(mutex);
      });
}

// Time may pass at any moment: who sleeps need not come last.
// expect: confirmed deadlock
// options: --check=deadlock
void lock_order_inversion_beside_a_sleep() {
  in_parallel(
      [] {
        std::lock_guard first(mutex);
        std::lock_guard second(other_mutex);
      },
      [] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        std::lock_guard first(other_mutex);
        std::lock_guard second(mutex);
      });
}

// The process ends beside those that wait for each other: they are in a deadlock all the same.
// expect: confirmed deadlock
// options: --check=deadlock
void inversion_of_detached_threads() {
  static std::mutex ended_mutex;
  static std::condition_variable all_ended;
  static int ended = 0;
  auto work = [](std::mutex* one, std::mutex* two) {
    {
      std::lock_guard first(*one);
      std::lock_guard second(*two);
    }
    std::lock_guard guard(ended_mutex);
    ++ended;
    all_ended.notify_one();
  };
  std::thread(work, &mutex, &other_mutex).detach();
  std::thread(work, &other_mutex, &mutex).detach();
  std::unique_lock lock(ended_mutex);
  all_ended.wait_for(lock, std::chrono::seconds(10), [] { return ended == 2; });
}

// expect: confirmed deadlock
// options: --check=deadlock
void three_philosophers() {
  in_parallel([] { eat(0, 1); }, [] { eat(1, 2); }, [] { eat(2, 0); });
}

// expect: confirmed deadlock
// options: --check=deadlock
void five_philosophers() {
  in_parallel([] { eat(0, 1); }, [] { eat(1, 2); }, [] { eat(2, 3); }, [] { eat(3, 4); }, [] { eat(4, 0); });
}

// expect: clean
// options: --check=deadlock
void philosophers_with_a_left_handed_one() {
  in_parallel([] { eat(0, 1); }, [] { eat(1, 2); }, [] { eat(0, 2); });
}

// expect: clean
// options: --check=deadlock
void inversion_under_a_common_lock() {
  in_parallel(
      [] {
        std::lock_guard outer(forks[0]);
        std::lock_guard first(mutex);
        std::lock_guard second(other_mutex);
      },
      [] {
        std::lock_guard outer(forks[0]);
        std::lock_guard first(other_mutex);
        std::lock_guard second(mutex);
      });
}

// expect: clean
// options: --check=deadlock
void inversion_one_after_the_other() {
  std::thread first([] { eat(0, 1); });
  first.join();
  std::thread second([] { eat(1, 0); });
  second.join();
}

// expect: refuted
// options: --check=deadlock
void inversion_that_a_value_forbids() {
  static bool done = false;
  in_parallel(
      [] {
        eat(0, 1);
        std::lock_guard guard(mutex);
        done = true;
      },
      [] {
        bool mine;
        {
          std::lock_guard guard(mutex);
          mine = done;
        }
        if (mine) eat(1, 0);
      });
}

// expect: confirmed deadlock
// options: --check=deadlock
void four_philosophers() {
  in_parallel([] { eat(0, 1); }, [] { eat(1, 2); }, [] { eat(2, 3); }, [] { eat(3, 0); });
}

std::shared_mutex table;

// Two readers wait for nobody, but the writer between them does.
// expect: confirmed deadlock
// options: --check=deadlock
void reader_and_writer_in_two_orders() {
  in_parallel(
      [] {
        std::shared_lock reads(table);
        std::lock_guard inner(mutex);
      },
      [] {
        std::lock_guard inner(mutex);
        std::unique_lock writes(table);
      });
}

// expect: clean
// options: --check=deadlock
void readers_in_two_orders() {
  in_parallel(
      [] {
        std::shared_lock reads(table);
        std::lock_guard inner(mutex);
      },
      [] {
        std::lock_guard inner(mutex);
        std::shared_lock reads(table);
      });
}

// expect: clean
// options: --check=deadlock
void recursive_lock_taken_again() {
  static std::recursive_mutex again;
  auto work = [] {
    std::lock_guard first(again);
    std::lock_guard inner(mutex);
    std::lock_guard second(again);
  };
  in_parallel(work, work);
}

// expect: clean
// options: --check=deadlock
void backs_off() {
  in_parallel([] { std::scoped_lock all(mutex, other_mutex); }, [] { std::scoped_lock all(other_mutex, mutex); });
}

// The one starts the other while it holds the first lock: only the structure of tasks tells that they come one after
// the other.
// expect: clean
// options: --check=deadlock
void started_with_what_it_left() {
  std::thread first([] {
    eat(0, 1);
    std::thread second([] { eat(1, 0); });
    second.join();
  });
  first.join();
}

// expect: confirmed deadlock
// options: --check=deadlock
void condition_takes_its_mutex_back() {
  static bool ready = false;
  in_parallel(
      [] {
        std::unique_lock waits(mutex);
        std::lock_guard kept(other_mutex);
        condition.wait_for(waits, std::chrono::milliseconds(1), [] { return ready; });
      },
      [] {
        std::lock_guard first(mutex);
        std::lock_guard second(other_mutex);
        ready = true;
      });
}

// Accounts that all are locked at the same two lines: only one pair is locked both ways round.
struct Account {
  std::mutex guard;
  long money = 100;
};

void transfer(Account& from, Account& to) {
  std::lock_guard first(from.guard);
  std::lock_guard second(to.guard);
  from.money -= 1;
  to.money += 1;
}

// expect: confirmed deadlock
// options: --check=deadlock
void transfers_among_many_accounts() {
  static std::vector<Account*> accounts;
  for (int i = 0; i < 8; ++i) accounts.push_back(new Account);
  in_parallel(
      [] {
        for (int i = 0; i < 6; ++i) transfer(*accounts[static_cast<std::size_t>(i)], *accounts[static_cast<std::size_t>(i) + 1]);
      },
      [] {
        for (int i = 0; i < 4; ++i) transfer(*accounts[2], *accounts[7]);
        transfer(*accounts[5], *accounts[4]);
      });
}

// Thesis, program 5.2: one is held back with a lock that the other needs on its way to the cycle.
// expect: confirmed deadlock
// options: --check=deadlock
void needs_it_on_the_way() {
  in_parallel(
      [] {
        std::lock_guard first(mutex);
        std::lock_guard second(other_mutex);
      },
      [] {
        for (int i = 0; i < 3; ++i) {
          std::lock_guard alone(mutex);
          ++shared_value;
        }
        std::lock_guard first(other_mutex);
        std::lock_guard second(mutex);
      });
}

// The same two locks at the same lines, most often without danger: what else is held tells.
void enter(std::mutex& lock) { lock.lock(); }

// expect: confirmed deadlock
// options: --check=deadlock
void same_lines_in_other_contexts() {
  in_parallel(
      [] {
        for (int i = 0; i < 4; ++i) {
          std::lock_guard outer(forks[2]);
          enter(forks[0]);
          forks[0].unlock();
        }
        std::lock_guard first(forks[1]);
        enter(forks[0]);
        forks[0].unlock();
      },
      [] {
        for (int i = 0; i < 4; ++i) {
          std::lock_guard outer(forks[3]);
          enter(forks[1]);
          forks[1].unlock();
        }
        std::lock_guard first(forks[0]);
        enter(forks[1]);
        forks[1].unlock();
      });
}

// expect: confirmed deadlock
// options: --check=deadlock
void workers_of_which_two_collide() {
  static std::vector<Account*> accounts;
  for (int i = 0; i < 8; ++i) accounts.push_back(new Account);
  std::vector<std::thread> workers;
  for (std::size_t i = 0; i < 6; ++i)
    workers.emplace_back([i] {
      if (i == 4)
        transfer(*accounts[1], *accounts[0]);
      else
        transfer(*accounts[i], *accounts[i + 1]);
    });
  for (std::thread& worker : workers) worker.join();
}

const Pattern kPatterns[] = {
    {"lost_update", lost_update},
    {"lost_update_of_three", lost_update_of_three},
    {"lost_update_one_forgets_the_lock", lost_update_one_forgets_the_lock},
    {"lost_update_under_two_locks", lost_update_under_two_locks},
    {"lost_update_under_a_reader_lock", lost_update_under_a_reader_lock},
    {"counter_under_a_lock", counter_under_a_lock},
    {"lost_update_far_away", lost_update_far_away},
    {"withdraw_twice", withdraw_twice},
    {"withdraw_twice_and_check", withdraw_twice_and_check},
    {"use_after_reset", use_after_reset},
    {"use_after_free", use_after_free},
    {"create_file_once", create_file_once},
    {"double_checked_locking", double_checked_locking},
    {"double_checked_locking_with_an_atomic", double_checked_locking_with_an_atomic},
    {"unsafe_publication", unsafe_publication},
    {"publication_with_a_relaxed_flag", publication_with_a_relaxed_flag},
    {"publication_with_release", publication_with_release},
    {"hand_over_under_a_lock", hand_over_under_a_lock},
    {"hand_over_or_crash", hand_over_or_crash},
    {"ping_pong", ping_pong},
    {"queue_of_one", queue_of_one},
    {"queue_that_gives_too_early", queue_that_gives_too_early},
    {"only_if_the_other_was_first", only_if_the_other_was_first},
    {"started_one_after_the_other", started_one_after_the_other},
    {"missed_notification", missed_notification},
    {"notification_under_the_lock", notification_under_the_lock},
    {"flag_that_is_polled", flag_that_is_polled},
    {"iterator_invalidation", iterator_invalidation},
    {"map_changed_while_read", map_changed_while_read},
    {"list_grown_by_two", list_grown_by_two},
    {"slot_cleared_while_read", slot_cleared_while_read},
    {"aba", aba},
    {"spin_lock_that_does_not_exclude", spin_lock_that_does_not_exclude},
    {"update_in_two_critical_sections", update_in_two_critical_sections},
    {"check_then_act_in_two_critical_sections", check_then_act_in_two_critical_sections},
    {"update_in_one_critical_section", update_in_one_critical_section},
    {"update_in_two_critical_sections_in_turns", update_in_two_critical_sections_in_turns},
    {"lock_order_inversion", lock_order_inversion},
    {"lock_order_inversion_beside_a_sleep", lock_order_inversion_beside_a_sleep},
    {"inversion_of_detached_threads", inversion_of_detached_threads},
    {"three_philosophers", three_philosophers},
    {"five_philosophers", five_philosophers},
    {"philosophers_with_a_left_handed_one", philosophers_with_a_left_handed_one},
    {"inversion_under_a_common_lock", inversion_under_a_common_lock},
    {"inversion_one_after_the_other", inversion_one_after_the_other},
    {"inversion_that_a_value_forbids", inversion_that_a_value_forbids},
    {"four_philosophers", four_philosophers},
    {"reader_and_writer_in_two_orders", reader_and_writer_in_two_orders},
    {"readers_in_two_orders", readers_in_two_orders},
    {"recursive_lock_taken_again", recursive_lock_taken_again},
    {"backs_off", backs_off},
    {"started_with_what_it_left", started_with_what_it_left},
    {"condition_takes_its_mutex_back", condition_takes_its_mutex_back},
    {"transfers_among_many_accounts", transfers_among_many_accounts},
    {"needs_it_on_the_way", needs_it_on_the_way},
    {"same_lines_in_other_contexts", same_lines_in_other_contexts},
    {"workers_of_which_two_collide", workers_of_which_two_collide},
};

}  // namespace

int main(int count, char** words) { return run_pattern(kPatterns, count, words); }
