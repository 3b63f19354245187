#include "explore/tree.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace heddle::explore {
namespace {

Branch& branch_to(const Node& node) {
  for (const auto& branch : node.parent->branches)
    if (branch->child.get() == &node) return *branch;
  HEDDLE_CHECK(!"a node has a branch that leads to it");
  __builtin_unreachable();
}

std::vector<ActorNumber> path_to(const Node& node) {
  std::vector<ActorNumber> path;
  for (const Node* at = &node; at->parent != nullptr; at = at->parent) path.push_back(branch_to(*at).actor);
  std::reverse(path.begin(), path.end());
  return path;
}

// Will more sequences enter the node's branches?
bool expects(const Node& node) {
  return node.trials_out != 0 || !node.trials.empty() || !node.parked.empty();
}

// No more sequences can arrive from the branches that its sleep set comes from.
bool may_go(const Node& node) {
  return std::all_of(node.sleep.begin(), node.sleep.end(), [](const Sleeper& sleeper) {
    return sleeper.origin->gone() && !expects(*sleeper.origin->node);
  });
}

bool finished(const Node& node) {
  if (node.kind == Node::Kind::kLeaf || expects(node)) return false;
  return std::all_of(node.branches.begin(), node.branches.end(), [](const auto& b) { return b->done; });
}

}  // namespace

std::vector<Sleeper> sleep_behind(const Node& node, const Branch& branch) {
  std::vector<Sleeper> sleep;
  auto consider = [&](ActorNumber actor, const FootprintRef& footprint, const Branch* origin) {
    if (actor != branch.actor && !dependent(*footprint, *branch.footprint))
      sleep.push_back({actor, footprint, origin});
  };
  for (const Sleeper& sleeper : node.sleep) consider(sleeper.actor, sleeper.footprint, sleeper.origin);
  for (const auto& older : node.branches) {
    if (older.get() == &branch) break;
    consider(older->actor, older->footprint, older.get());
  }
  return sleep;
}

bool Task::covered(FootprintRef last) const {
  Wakeup sequence = trial->sequence;
  sequence.settle_last(std::move(last));
  return std::any_of(sleep.begin(), sleep.end(), [&](const Sleeper& sleeper) {
    return sequence.begins_with(sleeper.actor, sleeper.footprint) == Answer::kYes;
  });
}

Tree::Tree() : root_(std::make_unique<Node>()) {
  root_->kind = Node::Kind::kLeaf;
  root_->ready = 1;
}

// Paths are long, so no recursion.
Tree::~Tree() {
  std::vector<std::unique_ptr<Node>> doomed;
  doomed.push_back(std::move(root_));
  while (!doomed.empty()) {
    std::unique_ptr<Node> node = std::move(doomed.back());
    doomed.pop_back();
    for (auto& branch : node->branches)
      if (branch->child != nullptr) doomed.push_back(std::move(branch->child));
  }
}

bool Tree::done() const { return finished(*root_); }

std::optional<Task> Tree::take() {
  if (root_->ready == 0) return std::nullopt;
  Node* node = root_.get();
  // Trials come first: they may enter deeper nodes.
  for (bool deeper = true; deeper && node->trials.empty();) {
    deeper = false;
    for (const auto& branch : node->branches)
      if (branch->child != nullptr && branch->child->ready != 0) {
        node = branch->child.get();
        deeper = true;
        break;
      }
  }
  Task task;
  task.node = node;
  task.prefix = path_to(*node);
  if (node->kind != Node::Kind::kLeaf) {
    task.trial = std::move(node->trials.front());
    node->trials.pop_front();
    ++node->trials_out;
    for (const Wakeup::Item& item : task.trial->sequence.items()) task.prefix.push_back(item.actor);
    task.sleep = node->sleep;
    for (const auto& branch : node->branches)
      if (branch->footprint != nullptr) task.sleep.push_back({branch->actor, branch->footprint, nullptr});
  }
  change_ready(node, -1);
  return task;
}

Tree::Entered Tree::enter(const Task& task, const Analysis& analysis, bool complete) {
  Node* node = task.node;
  if (!task.trial) return explore_from(node, analysis);
  --node->trials_out;
  Entrant entrant = *task.trial;
  usize length = entrant.sequence.items().size();
  entrant.sequence.settle_last(analysis.footprint(node->depth + static_cast<u32>(length) - 1));
  Node* leaf = insert(node, std::move(entrant));
  if (leaf != nullptr) reconsider(*node);
  if (leaf != nullptr && complete && path_to(*leaf) == task.prefix) {
    change_ready(leaf, -1);
    return explore_from(leaf, analysis);
  }
  settle(node);
  return leaf == nullptr ? Entered::kBlocked : Entered::kLater;
}

void Tree::give_up(const Task& task) {
  Node* node = task.node;
  if (task.trial) {
    --node->trials_out;
  } else {
    node->kind = Node::Kind::kFree;
    // Its footprint will never be known: other sequences need not wait for it.
    if (node->parent != nullptr) {
      Branch& branch = branch_to(*node);
      if (branch.footprint == nullptr) branch.footprint = std::make_shared<Footprint>();
      unpark(*node->parent);
    }
  }
  settle(node);
}

void Tree::give_back(Task task) {
  if (task.trial) {
    --task.node->trials_out;
    task.node->trials.push_front(std::move(*task.trial));
  }
  change_ready(task.node, 1);
}

Tree::Entered Tree::explore_from(Node* leaf, const Analysis& analysis) {
  u32 at = leaf->depth;
  leaf->kind = Node::Kind::kFree;
  if (leaf->parent != nullptr) {
    Branch& branch = branch_to(*leaf);
    if (branch.footprint == nullptr) branch.footprint = analysis.footprint(at - 1);
    // Impossible, unless the program races and its executions are not reproducible.
    if (!sleep_behind(*leaf->parent, branch).empty()) {
      unpark(*leaf->parent);
      settle(leaf);
      return Entered::kBlocked;
    }
  }
  Node* last = leaf;
  for (u32 i = at; i < analysis.size(); ++i)
    last = add_child(*last, analysis.execution().steps[i].actor, analysis.footprint(i), Node::Kind::kFree);
  std::vector<Node*> path(analysis.size() + 1);
  for (Node* node = last; node != nullptr; node = node->parent) path[node->depth] = node;
  struct Sink : ReversalSink {
    Sink(Tree& t, const Analysis& a, const std::vector<Node*>& p) : tree(t), analysis(a), path(p) {}
    // A branch below which everything is explored covers it.
    bool needless(u32 before, ActorNumber actor) override {
      for (const auto& branch : path[before]->branches)
        if (branch->actor == actor)
          return branch->child == nullptr || branch->child->kind != Node::Kind::kInside;
      return false;
    }
    void found(Reversal&& reversal) override {
      const Branch& from = branch_to(*path[reversal.before + 1]);
      Entrant entrant{Wakeup(analysis, reversal), &from};
      entrant.sequence.turn(from.footprint);
      tree.insert(path[reversal.before], std::move(entrant));
    }
    Tree& tree;
    const Analysis& analysis;
    const std::vector<Node*>& path;
  } sink(*this, analysis, path);
  find_reversals(analysis, sink);
  if (leaf->parent != nullptr) unpark(*leaf->parent);
  settle(last);
  return Entered::kNew;
}

Node* Tree::add_child(Node& node, ActorNumber actor, FootprintRef footprint, Node::Kind kind) {
  auto branch = std::make_unique<Branch>();
  branch->node = &node;
  branch->actor = actor;
  branch->footprint = std::move(footprint);
  branch->child = std::make_unique<Node>();
  Node* child = branch->child.get();
  child->parent = &node;
  child->depth = node.depth + 1;
  child->kind = kind;
  node.branches.push_back(std::move(branch));
  ++nodes_;
  return child;
}

Node* Tree::insert(Node* node, Entrant entrant) {
  Wakeup& sequence = entrant.sequence;
  for (;;) {
    bool unknown = false;
    for (const Sleeper& sleeper : node->sleep) {
      Answer answer = sequence.begins_with(sleeper.actor, sleeper.footprint);
      if (answer == Answer::kYes) return nullptr;
      unknown = unknown || answer == Answer::kUnknown;
    }
    Branch* into = nullptr;
    bool older = entrant.from != nullptr, new_branch = false;
    for (const auto& branch : node->branches) {
      if (branch.get() == entrant.from) {
        older = false;
        continue;
      }
      new_branch = new_branch || branch->footprint == nullptr;
      Answer answer = sequence.begins_with(branch->actor, branch->footprint);
      if (answer == Answer::kYes) {
        if (older) return nullptr;  // in the sleep set where it was found
        into = branch.get();
        break;
      }
      unknown = unknown || (answer == Answer::kUnknown && branch->footprint != nullptr);
    }
    if (into == nullptr) {
      // Behind a branch with an unknown first step, it could not be decided whether a sequence is redundant.
      if (new_branch) {
        node->parked.push_back(std::move(entrant));
        reopen(*node);
        return nullptr;
      }
      if (unknown || (sequence.uncertain() && !sequence.settled())) {
        add_trial(*node, std::move(entrant));
        return nullptr;
      }
      return add_sequence(*node, sequence);
    }
    // Everything below this branch is explored, so the sequence is, too.
    if (into->child == nullptr || into->child->kind != Node::Kind::kInside) return nullptr;
    sequence.remove(into->actor);
    if (sequence.empty()) return nullptr;
    node = into->child.get();
    entrant.from = nullptr;
  }
}

Node* Tree::add_sequence(Node& from, const Wakeup& sequence) {
  Node* node = &from;
  for (const Wakeup::Item& item : sequence.items()) {
    bool last = &item == &sequence.items().back();
    Node* child =
        add_child(*node, item.actor, item.footprint, last ? Node::Kind::kLeaf : Node::Kind::kInside);
    if (!last) child->sleep = sleep_behind(*node, *node->branches.back());
    node = child;
  }
  change_ready(node, 1);
  reopen(*node);
  return node;
}

void Tree::add_trial(Node& node, Entrant entrant) {
  node.trials.push_back(std::move(entrant));
  change_ready(&node, 1);
  reopen(node);
}

// Some trials may have become redundant.
void Tree::reconsider(Node& node) {
  std::deque<Entrant> trials = std::move(node.trials);
  node.trials.clear();
  change_ready(&node, -static_cast<int>(trials.size()));
  for (Entrant& entrant : trials) insert(&node, std::move(entrant));
}

void Tree::reopen(Node& node) {
  for (Node* above = &node; above->parent != nullptr; above = above->parent) branch_to(*above).done = false;
}

void Tree::unpark(Node& node) {
  std::vector<Entrant> parked = std::move(node.parked);
  node.parked.clear();
  for (Entrant& entrant : parked) insert(&node, std::move(entrant));
}

void Tree::change_ready(Node* node, int by) {
  for (; node != nullptr; node = node->parent) node->ready += static_cast<u32>(by);
}

// Frees the nodes of a completed branch that no sequence can enter any more.
void Tree::release(Branch& branch) {
  if (branch.child == nullptr) return;
  std::vector<Branch*> order{&branch};
  for (usize i = 0; i < order.size(); ++i)
    for (const auto& below : order[i]->child->branches)
      if (below->child != nullptr) order.push_back(below.get());
  for (auto place = order.rbegin(); place != order.rend(); ++place) {
    std::unique_ptr<Node>& node = (*place)->child;
    bool empty = std::all_of(node->branches.begin(), node->branches.end(),
                             [](const auto& below) { return below->child == nullptr; });
    if (!empty || !may_go(*node)) continue;
    node.reset();
    --nodes_;
  }
}

void Tree::settle(Node* node) {
  while (node->parent != nullptr && finished(*node)) {
    Node* parent = node->parent;
    Branch& branch = branch_to(*node);
    branch.done = true;
    release(branch);
    // Younger branches may have waited for this one.
    bool younger = false;
    for (const auto& other : parent->branches) {
      if (younger && other->done) release(*other);
      younger = younger || other.get() == &branch;
    }
    node = parent;
  }
}

}  // namespace heddle::explore
