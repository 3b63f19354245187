// parallel_pipeline. The library builds its pipeline from a tree of nodes that create filters: it gets a tree of
// ours, whose filters wrap the program's.
//
// Each call of a filter is a task of its own, parallel to all others of the pipeline except for these orders:
//  - an item's call of one filter happens after its call of the previous filter (items travel in boxes that carry a
//    clock);
//  - the calls of a serial_in_order filter are ordered; those of a serial_out_of_order filter exclude each other, as
//    if under a lock, because their sequence depends on the schedule;
//  - with n tokens, an item enters after all but n-1 of the earlier ones have left. Which these are depends on the
//    schedule, and orders nothing, unless items come in order and leave in order: then the i-th enters after the end
//    of the (i-n)-th. This holds with one token.
#include "base/spin_lock.hpp"
#include "control/guided.hpp"
#include "frontend/protected_call.h"
#include "frontend/tbb/controlled_tasks.hpp"
#include "frontend/tbb/tasks.hpp"
#include "runtime/recording/recorder.hpp"

namespace heddle::tbb {
namespace {

// d1::base_filter
struct Filter;
struct FilterTable {
  void* (*call)(Filter*, void* item);
  void (*destroy[2])(Filter*);
  void (*finalize)(Filter*, void* item);
};
struct Filter {
  const FilterTable* table;
  Filter* next;  // all ones: not in a pipeline
  void* input_buffer;
  unsigned mode;
  void* pipeline;
};
constexpr unsigned kSerial = 1, kOutOfOrder = 2;

// d1::filter_node
struct Node;
struct NodeTable {
  Filter* (*create_filter)(const Node*);
  void (*destroy[2])(Node*);
};
struct Node {
  const NodeTable* table;
  long references;
  const Node *left, *right;
};

struct Box {
  void* item;
  order::SyncObject passed;  // released by the last filter that had the item
};

// One run of a pipeline.
struct Run {
  order::Team* team;
  StackId made_at;
  u64 tokens;
  SpinLock lock;
  bool comes_in_order = false, leaves_in_order = false;  // its first filter, its last one
  u64 entered = 0, left = 0;                             // items
  Vector<order::SyncObject*> exits;  // of the last `tokens` items that left, the i-th at i % tokens
  Vector<Node*> nodes;

  bool tokens_order() const { return tokens == 1 || (comes_in_order && leaves_in_order); }
};

struct FilterProxy : Filter {
  Filter* real;
  Run* run;
  bool first, last;
  order::SyncObject turns;  // of a serial_in_order filter
};

struct LeafNode : Node {
  const Node* real;
  Run* run;
  bool first, last;
};

__thread FilterProxy* t_filter __attribute__((tls_model("initial-exec"))) = nullptr;
__thread bool t_ended __attribute__((tls_model("initial-exec"))) = false;

// --- one call of a filter ---------------------------------------------------------------------------------------

struct Call {
  FilterProxy* filter;
  Box* box;  // null: an item enters
  void* result = nullptr;
  Context* context = nullptr;
  FilterProxy* outer = nullptr;  // of a pipeline around this one, and what is known of its input
  bool outer_ended = false;
  bool returned = false;
};

bool in_order(const Filter& filter) { return (filter.mode & (kSerial | kOutOfOrder)) == kSerial; }
bool out_of_order(const Filter& filter) {
  return (filter.mode & (kSerial | kOutOfOrder)) == (kSerial | kOutOfOrder);
}

// The item has got a token: one of the initial ones, or one that another item has returned.
void enter_pipeline(Run& run, order::Task& task) {
  if (!run.tokens_order()) return;
  run.lock.lock();
  const u64 number = run.entered++;
  order::SyncObject* exit = number >= run.tokens && number - run.tokens < run.left
                                ? run.exits[static_cast<u32>((number - run.tokens) % run.tokens)]
                                : nullptr;
  run.lock.unlock();
  if (exit) rt().order.await(task, *exit);
}

void leave_pipeline(Run& run, order::Task& task) {
  if (!run.tokens_order()) return;
  SpinGuard guard(run.lock);
  const u64 number = run.left++;
  if (number) rt().order.await(task, *run.exits[static_cast<u32>((number - 1) % run.tokens)]);
  const u32 slot = static_cast<u32>(number % run.tokens);
  if (slot == run.exits.size()) run.exits.push_back(memory::make<order::SyncObject>());
  rt().order.publish_only(task, *run.exits[slot]);
}

// In the function with this frame, which will call the filter.
void begin(ThreadState& thread, Call& call, void* frame) {
  RuntimeScope scope(thread);
  FilterProxy& filter = *call.filter;
  auto* context = memory::make<Context>();
  call.context = context;
  context->grouped = true;
  context->task = rt().order.team_work(*filter.run->team);
  describe(*context->task, TaskKind::kTbbPipeline, filter.run->made_at);
  recorder::moved_here(thread);
  enter_task(thread, *context, address_of(frame));
  order::Task& task = *context->task;
  if (call.box)
    rt().order.await(task, call.box->passed);
  else
    enter_pipeline(*filter.run, task);
  if (in_order(filter)) rt().order.await(task, filter.turns);
  // A busy filter blocks no thread.
  if (out_of_order(filter))
    acquire_lock(thread, address_of(&filter), LockKind::kOther, order::Mode::kWrite, {.waits = false});
}

void finish(void* data) {
  auto& call = *static_cast<Call*>(data);
  t_filter = call.outer;
  t_ended = call.outer_ended;
  ThreadState* thread = self();
  if (!thread || !call.context) return;
  RuntimeScope scope(*thread);
  FilterProxy& filter = *call.filter;
  order::Task& task = *call.context->task;
  leave_down_to(*thread, call.context);
  if (out_of_order(filter)) release_lock(*thread, address_of(&filter), order::Mode::kWrite);
  if (in_order(filter)) rt().order.publish(task, filter.turns);
  if (call.returned && call.box && !filter.last) rt().order.publish_only(task, call.box->passed);
  if (call.returned && filter.last) leave_pipeline(*filter.run, task);
  leave_task(*thread);
  rt().order.end(task);
  memory::destroy(call.context);
}

void call_real(void* data) {
  auto& call = *static_cast<Call*>(data);
  FilterProxy& filter = *call.filter;
  call.result = filter.real->table->call(filter.real, call.box ? call.box->item : nullptr);
  // The last filter has no result; the result of the first may be the end of the input.
  const bool ends = filter.first && (t_ended || (!call.result && !(filter.mode & 4)));
  if (filter.last) {
    const bool more = !filter.first || !ends;
    if (call.box) memory::destroy(call.box);
    call.box = nullptr;
    call.result = more && filter.first ? call.result : nullptr;
    call.returned = more;
    return;
  }
  if (ends) {
    call.result = nullptr;
    return;
  }
  if (!call.box) call.box = memory::make<Box>();
  call.box->item = call.result;
  call.result = call.box;
  call.returned = true;
}

void* call_filter(Filter* self_filter, void* item) {
  auto* filter = static_cast<FilterProxy*>(self_filter);
  Call call{filter, filter->first ? nullptr : static_cast<Box*>(item)};
  call.outer = t_filter;
  call.outer_ended = t_ended;
  t_filter = filter;
  t_ended = false;
  if (ThreadState* thread = self()) begin(*thread, call, __builtin_frame_address(0));
  heddle_protected_call(call_real, &call, finish);
  return call.result;
}

// An item that is dropped.
void finalize(Filter* self_filter, void* item) {
  auto* filter = static_cast<FilterProxy*>(self_filter);
  if (filter->first || !item) return;
  auto* box = static_cast<Box*>(item);
  filter->real->table->finalize(filter->real, box->item);
  memory::destroy(box);
}

// --- the pipeline -------------------------------------------------------------------------------------------------

HEDDLE_REAL(void*, _ZN3tbb6detail2r115allocate_memoryEm, usize);
HEDDLE_REAL(void, _ZN3tbb6detail2r117deallocate_memoryEPv, void*);

// As the library does with a filter: it frees the memory there.
void destroy_filter(Filter* self_filter) {
  auto* filter = static_cast<FilterProxy*>(self_filter);
  filter->real->table->destroy[0](filter->real);
  real__ZN3tbb6detail2r117deallocate_memoryEPv(filter->real);
  filter->turns.~SyncObject();
}
constexpr FilterTable kFilterTable{call_filter, {destroy_filter, destroy_filter}, finalize};

Filter* create_filter(const Node* node) {
  auto* leaf = static_cast<const LeafNode*>(node);
  Filter* real = leaf->real->table->create_filter(leaf->real);
  void* memory = real__ZN3tbb6detail2r115allocate_memoryEm(sizeof(FilterProxy));
  auto* filter = new (memory) FilterProxy;
  static_cast<Filter&>(*filter) = {&kFilterTable, real->next, nullptr, real->mode, nullptr};
  filter->real = real;
  filter->run = leaf->run;
  filter->first = leaf->first;
  filter->last = leaf->last;
  if (filter->first) leaf->run->comes_in_order = in_order(*filter);
  if (filter->last) leaf->run->leaves_in_order = in_order(*filter);
  return filter;
}
void destroy_node(Node*) {}
constexpr NodeTable kNodeTable{create_filter, {destroy_node, destroy_node}};

void collect(const Node* node, Vector<const Node*>& leaves) {
  if (!node->left || !node->right) return leaves.push_back(node);
  collect(node->left, leaves);
  collect(node->right, leaves);
}

Node* tree_of(Run& run, const Vector<const Node*>& leaves) {
  Node* root = nullptr;
  for (u32 i = 0; i < leaves.size(); ++i) {
    auto* leaf = memory::make<LeafNode>();
    static_cast<Node&>(*leaf) = {&kNodeTable, 1, nullptr, nullptr};
    leaf->real = leaves[i];
    leaf->run = &run;
    leaf->first = i == 0;
    leaf->last = i + 1 == leaves.size();
    if (!root) {
      root = leaf;
      run.nodes.push_back(leaf);
      continue;
    }
    auto* both = memory::make<LeafNode>();
    static_cast<Node&>(*both) = {&kNodeTable, 1, root, leaf};
    run.nodes.push_back(leaf);
    run.nodes.push_back(both);
    root = both;
  }
  return root;
}

struct Pipeline {
  void* context;
  const Node* root;
  TaskContext* caller;
  Proxy* proxy;
  usize depth;
  Run run;
};

void after(void* data) {
  auto& pipeline = *static_cast<Pipeline*>(data);
  ThreadState* thread = self();
  RuntimeScope scope(*thread);
  t_proxy = pipeline.proxy;
  thread->context = pipeline.caller;
  thread->top = thread->frames + pipeline.caller->stack_base + pipeline.depth;
  rt().order.join(*pipeline.run.team);
  for (Node* node : pipeline.run.nodes) memory::destroy(static_cast<LeafNode*>(node));
  for (order::SyncObject* exit : pipeline.run.exits) memory::destroy(exit);
}

}  // namespace
}  // namespace heddle::tbb

using namespace heddle;

HEDDLE_TBB(void, parallel_pipeline, "17parallel_pipelineERNS0_2d118task_group_contextEmRKNS2_11filter_nodeE",
           void* context, usize tokens, const tbb::Node* root) {
  ThreadState* thread = tbb::participant();
  if (!thread) return real_parallel_pipeline(context, tokens, root);
  if (control::active()) {
    tbb::prepare_actors();
    if (control::explores())
      control::give_up("the orders of a parallel_pipeline's filters are not explored yet");
  }
  tbb::Pipeline pipeline{context,
                         root,
                         thread->context,
                         tbb::t_proxy,
                         static_cast<usize>(thread->top - thread->frames) - thread->context->stack_base,
                         {}};
  {
    RuntimeScope scope(*thread);
    pipeline.run.tokens = tokens;
    pipeline.run.made_at = current_stack(*thread, HEDDLE_CALLER);
    pipeline.run.team = rt().order.fork(*thread->context->task);
    Vector<const tbb::Node*> leaves;
    tbb::collect(root, leaves);
    pipeline.root = tbb::tree_of(pipeline.run, leaves);
  }
  heddle_protected_call(
      [](void* data) {
        auto& call = *static_cast<tbb::Pipeline*>(data);
        real_parallel_pipeline(call.context, call.run.tokens, call.root);
      },
      &pipeline, tbb::after);
}

// Called by the program's filter, which is in no pipeline: ours is.
HEDDLE_TBB(void, set_end_of_input, "16set_end_of_inputERNS0_2d111base_filterE", tbb::Filter* filter) {
  tbb::FilterProxy* proxy = tbb::t_filter;
  if (!proxy || proxy->real != filter) return real_set_end_of_input(filter);
  tbb::t_ended = true;
  real_set_end_of_input(proxy);
}
