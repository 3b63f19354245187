// The exploration tree: executed prefixes, wakeup sequences to execute, and sleep sets.
//
// A node is a prefix; a branch is the step that an actor makes there. The sleep set of a node has the actors whose
// branches elsewhere cover all executions that begin with their step here. The algorithm is optimal dynamic
// partial-order reduction (Abdulla, Aronis, Jonsson, Sagonas, JACM 2017): a wakeup sequence enters the tree where it
// first differs, and only if no sleep-set member is a weak initial of it. So no two executions are in one class, and
// the sleep set at the end of a sequence is empty.
//
// Deviations:
// - Steps are large, so the effect of the reversed step at its new position is unknown until it is executed
//   (wakeup.hpp).
//   If that decides whether a sequence is redundant, the sequence is *tried*: executed, and stopped at its end if a
//   sleep-set member turns out to be a weak initial (*blocked*, counted).
// - Branches of one node may be explored concurrently. A sequence found in an older branch may then enter a younger
//   one that is being explored, or even complete: nodes inside wakeup sequences stay until the older branches that
//   their sleep sets come from have gone.
//
// Not thread-safe. Memory: the open nodes, i.e. depth times the width of the open part.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "explore/wakeup.hpp"

namespace heddle::explore {

struct Node;

struct Branch {
  Node* node = nullptr;  // the node it leaves
  ActorNumber actor = 0;
  FootprintRef footprint;  // null: not executed yet
  std::unique_ptr<Node> child;
  bool done = false;
  // Complete, and no sequence can enter any more.
  bool gone() const { return done && child == nullptr; }
};

struct Sleeper {
  ActorNumber actor = 0;
  FootprintRef footprint;
  const Branch* origin = nullptr;  // outlives it: a branch of a node above
};

// A sequence that is being inserted.
struct Entrant {
  Wakeup sequence;
  const Branch* from = nullptr;  // of the node it is at: the branch in which it was found
};

struct Node {
  enum class Kind : u8 {
    kLeaf,    // the end of a wakeup sequence, not executed yet
    kInside,  // of a wakeup sequence: only the sequences that entered are explored
    kFree,    // executed, with an empty sleep set: all continuations are explored
  };
  Node* parent = nullptr;
  u32 depth = 0;
  Kind kind = Kind::kFree;
  u32 ready = 0;               // leaves and trials below, itself included, that can be taken
  u32 trials_out = 0;          // trials of this node that are being executed
  std::vector<Sleeper> sleep;  // unknown for a leaf
  std::vector<std::unique_ptr<Branch>> branches;
  std::vector<Entrant> parked;  // until a branch with an unknown first step is executed
  std::deque<Entrant> trials;   // to be executed before they enter
};

// The sleep set after a branch: the node's sleep set and its older branches, without those that the step wakes.
std::vector<Sleeper> sleep_behind(const Node& node, const Branch& branch);

// A leaf to execute, or a sequence to try.
struct Task {
  Node* node = nullptr;
  std::vector<ActorNumber> prefix;
  std::optional<Entrant> trial;
  std::vector<Sleeper> sleep;  // of a trial: possible weak initials, depending on its last step
  // Is a trial redundant if its last step has this footprint?
  bool covered(FootprintRef last) const;
};

class Tree {
 public:
  Tree();
  ~Tree();

  bool done() const;
  // The next in depth-first order; none: all available tasks are taken.
  std::optional<Task> take();
  // How many tasks could be taken.
  u32 ready() const { return root_->ready; }

  enum class Entered : u8 {
    kNew,      // a new class
    kBlocked,  // its class is explored elsewhere
    kLater,    // a trial that succeeded, but must be executed in another order
  };
  // The result of a task. REQUIRES: all steps of the prefix were made. `complete`: it was executed to its end.
  Entered enter(const Task& task, const Analysis& analysis, bool complete);
  // The task could not be executed to the end of its prefix: a trial that is impossible, or a program that is not
  // reproducible.
  void give_up(const Task& task);
  // The task was not executed: undoes take().
  void give_back(Task task);

  usize nodes() const { return nodes_; }

 private:
  friend class Frontier;
  friend class FrontierReader;
  Node* add_child(Node& node, ActorNumber actor, FootprintRef footprint, Node::Kind kind);
  // Inserts the sequence where it leaves the tree. Returns the new leaf, if there is one.
  Node* insert(Node* node, Entrant entrant);
  Node* add_sequence(Node& node, const Wakeup& sequence);
  Entered explore_from(Node* leaf, const Analysis& analysis);
  void add_trial(Node& node, Entrant entrant);
  void reconsider(Node& node);
  void reopen(Node& node);
  void unpark(Node& node);
  void change_ready(Node* node, int by);
  // After a change at `node`: marks what is complete now, upwards, and frees what can be freed.
  void settle(Node* node);
  void release(Branch& branch);

  std::unique_ptr<Node> root_;
  usize nodes_ = 1;
};

}  // namespace heddle::explore
