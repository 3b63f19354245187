// The exploration tree: what was executed, what is to be executed, and what need not be.
//
// A node stands for the steps that lead to it; a branch for the step that an actor makes there. *Asleep* at a node are
// actors whose branch elsewhere covers whatever could begin with their step here. This is optimal dynamic partial-order
// reduction (Abdulla, Aronis, Jonsson, Sagonas, JACM 2017): a wakeup sequence enters the tree where it leaves what is
// there, and only if no sleeper could have begun it; so no two executions are of one class, and nobody is still asleep
// where a sequence ends.
//
// Deviations:
// - Steps are large, so what the turned step does in its new place is unknown until it was executed (wakeup.hpp).
//   Where that decides whether a sequence enters, it is *tried*: executed, and stopped behind the sequence if a sleeper
//   could have begun it (*blocked*, counted).
// - Branches of one node may be explored at the same time. A sequence found in an older branch then enters a younger
//   one that is under way, or even done: nodes inside wakeup sequences stay until the older branches that their
//   sleepers come from are gone.
//
// Not thread-safe. Memory: the open nodes, i.e. depth times the width of what is open.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "explore/wakeup.hpp"

namespace heddle::explore {

struct Node;

struct Branch {
  Node* node = nullptr;  // whose it is
  ActorNumber actor = 0;
  FootprintRef footprint;  // null: not executed yet
  std::unique_ptr<Node> child;
  bool done = false;
  // Done, and nothing can enter any more.
  bool gone() const { return done && child == nullptr; }
};

struct Sleeper {
  ActorNumber actor = 0;
  FootprintRef footprint;
  const Branch* origin = nullptr;  // lives: it is a branch of a node above
};

// A sequence on its way into the tree.
struct Entrant {
  Wakeup sequence;
  const Branch* from = nullptr;  // of the node it is at: the branch in which it was found
};

struct Node {
  enum class Kind : u8 {
    kLeaf,    // the end of a wakeup sequence, not executed yet
    kInside,  // of a wakeup sequence: only what entered is explored
    kFree,    // executed and nobody asleep: all that can follow is explored
  };
  Node* parent = nullptr;
  u32 depth = 0;
  Kind kind = Kind::kFree;
  u32 ready = 0;               // leaves and trials below, itself included, that can be handed out
  u32 trials_out = 0;          // trials of this node that are being executed
  std::vector<Sleeper> sleep;  // of a leaf: not known
  std::vector<std::unique_ptr<Branch>> branches;
  std::vector<Entrant> parked;  // until the branch whose first step is not known was executed
  std::deque<Entrant> trials;   // to be executed before they enter
};

// Who is asleep behind a branch of the node: sleepers of the node and older branches, as far as the step does not wake
// them.
std::vector<Sleeper> sleep_behind(const Node& node, const Branch& branch);

// What to execute: a leaf, or a sequence that is to be tried.
struct Task {
  Node* node = nullptr;
  std::vector<ActorNumber> prefix;
  std::optional<Entrant> trial;
  std::vector<Sleeper> sleep;  // of a trial: who could begin the sequence, if its last step lets them
  // Of a trial whose last step turns out to be this: need it not be explored?
  bool covered(FootprintRef last) const;
};

class Tree {
 public:
  Tree();
  ~Tree();

  bool done() const;
  // The next in depth-first order; none: all that can be is handed out.
  std::optional<Task> take();
  // How many could be taken.
  u32 ready() const { return root_->ready; }

  enum class Entered : u8 {
    kNew,      // a class that was not there
    kBlocked,  // it belongs to a class that is explored elsewhere
    kLater,    // a trial that succeeded, but must be executed in another order
  };
  // What the execution of a task showed. REQUIRES: all steps of the prefix were made. `complete`: it was executed to
  // its end.
  Entered enter(const Task& task, const Analysis& analysis, bool complete);
  // The task could not be executed to the end of its prefix: a trial that is impossible, or a program that does not
  // repeat itself.
  void give_up(const Task& task);
  // It was not executed: as if it had never been taken.
  void give_back(Task task);

  usize nodes() const { return nodes_; }

 private:
  friend class Frontier;
  friend class FrontierReader;
  Node* add_child(Node& node, ActorNumber actor, FootprintRef footprint, Node::Kind kind);
  // Leads it down to where it leaves the tree. The new leaf, if there is one.
  Node* insert(Node* node, Entrant entrant);
  Node* add_sequence(Node& node, const Wakeup& sequence);
  Entered explore_from(Node* leaf, const Analysis& analysis);
  void add_trial(Node& node, Entrant entrant);
  void reconsider(Node& node);
  void reopen(Node& node);
  void unpark(Node& node);
  void change_ready(Node* node, int by);
  // After a change at `node`: whatever is finished now is marked, upwards, and goes if it may.
  void settle(Node* node);
  void release(Branch& branch);

  std::unique_ptr<Node> root_;
  usize nodes_ = 1;
};

}  // namespace heddle::explore
