// A plugin for GCC: replaces some of the hooks that GCC's own pass (tsan) inserts by fewer, and those for a thread's
// own data by others, and adds some: for accesses that the pass does not see, and at the end of a single. See
// compound_hooks.cpp, loop_hooks.cpp, thread_data.cpp, unseen_accesses.cpp and singles.cpp.
#include "frontend/compiler/gcc/tsan_calls.hpp"

int plugin_is_GPL_compatible;  // GCC requires this name

namespace {

// Functions unknown to GCC, created on demand, and registered with GCC's garbage collector.
constexpr int kLoop = kSizes, kThread = kSizes + 1, kNaming = kSizes + 2, kNumber = kSizes + 3,
              kAddressing = kSizes + 4, kInit = kSizes + 5, kSingle = kSizes + 6, kRows = kSizes + 7,
              kExchange = kSizes + 8, kFunctions = kExchange + 5;
tree g_functions[kFunctions];

tree declare(int number, const char* name, tree type) {
  tree& function = g_functions[number];
  if (!function) {
    function = build_fn_decl(name, type);
    TREE_NOTHROW(function) = 1;
  }
  return function;
}

}  // namespace

tree compound_hook(int power) {
  static const char* const kNames[kSizes] = {"__tsan_read_write1", "__tsan_read_write2", "__tsan_read_write4",
                                             "__tsan_read_write8", "__tsan_read_write16"};
  return declare(power, kNames[power], build_function_type_list(void_type_node, ptr_type_node, NULL_TREE));
}

namespace {
tree several_accesses(int number, const char* name) {
  return declare(number, name,
                 build_function_type_list(void_type_node, ptr_type_node, size_type_node, ptrdiff_type_node,
                                          unsigned_type_node, NULL_TREE));
}
// Its value does not change while the function runs: GCC may assume that, too.
tree thread_number(int number, const char* name) {
  const tree function = declare(number, name, build_function_type_list(integer_type_node, NULL_TREE));
  TREE_READONLY(function) = 1;
  return function;
}
}  // namespace

tree rows_hook() {
  return declare(kRows, "__heddle_rows",
                 build_function_type_list(void_type_node, ptr_type_node, size_type_node, size_type_node,
                                          ptrdiff_type_node, unsigned_type_node, NULL_TREE));
}
tree loop_hook() { return several_accesses(kLoop, "__heddle_loop_accesses"); }
tree thread_hook() { return several_accesses(kThread, "__heddle_thread_accesses"); }
tree naming_hook() {
  return declare(kNaming, "__heddle_names_thread_data", build_function_type_list(void_type_node, NULL_TREE));
}
tree init_hook() {
  return declare(kInit, "__heddle_init_with_plugin", build_function_type_list(void_type_node, NULL_TREE));
}
tree single_hook() {
  return declare(kSingle, "__heddle_single_ends", build_function_type_list(void_type_node, NULL_TREE));
}
// Of 1, 2, 4, 8 or 16 bytes.
tree compare_exchange_hook(unsigned size) {
  constexpr const char* kNames[] = {
      "__tsan_atomic8_compare_exchange_val", "__tsan_atomic16_compare_exchange_val",
      "__tsan_atomic32_compare_exchange_val", "__tsan_atomic64_compare_exchange_val",
      "__tsan_atomic128_compare_exchange_val"};
  const int power = exact_log2(size);
  const tree value = build_nonstandard_integer_type(size * BITS_PER_UNIT, 1);
  return declare(kExchange + power, kNames[power],
                 build_function_type_list(value, ptr_type_node, value, value, integer_type_node,
                                          integer_type_node, NULL_TREE));
}
tree programs_number() { return thread_number(kNumber, "__heddle_asks_thread_number"); }
tree number_for_addresses() { return thread_number(kAddressing, "__heddle_thread_number"); }

bool find_hook(gimple* statement, Hook& hook) {
  if (!is_gimple_call(statement)) return false;
  const tree function = gimple_call_fndecl(statement);
  if (!function) return false;
  for (int power = 0; power < kSizes; ++power)
    if (function == g_functions[power]) {
      hook = {statement, gimple_call_arg(statement, 0), power, true, true};
      return true;
    }
  if (!gimple_call_builtin_p(statement, BUILT_IN_NORMAL)) return false;
  const built_in_function code = DECL_FUNCTION_CODE(function);
  const bool read = code >= BUILT_IN_TSAN_READ1 && code <= BUILT_IN_TSAN_READ16;
  const bool write = code >= BUILT_IN_TSAN_WRITE1 && code <= BUILT_IN_TSAN_WRITE16;
  if (!read && !write) return false;
  hook = {statement, gimple_call_arg(statement, 0),
          code - (read ? BUILT_IN_TSAN_READ1 : BUILT_IN_TSAN_WRITE1), read, write};
  return true;
}

bool may_synchronise(gimple* statement) {
  if (gimple_code(statement) == GIMPLE_ASM) return true;
  return is_gimple_call(statement) && !gimple_call_internal_p(statement) &&
         !(gimple_call_flags(statement) & (ECF_CONST | ECF_PURE));
}

void take_out(gimple* call) {
  gimple_stmt_iterator at = gsi_for_stmt(call);
  unlink_stmt_vdef(call);
  gsi_remove(&at, true);
  release_defs(call);
}

namespace {

class FewerHooks : public gimple_opt_pass {
 public:
  FewerHooks(gcc::context* of, bool optimised) : gimple_opt_pass(kData, of), optimised_(optimised) {}

  bool gate(function*) final override {
    return (flag_sanitize & SANITIZE_THREAD) != 0 && (optimize != 0) == optimised_;
  }

  unsigned execute(function* in) final override {
    unsigned changed = 0;
    if (optimize) {
      join_hooks(in);
      changed = hoist_hooks(in);
    }
    changed |= tell_of_thread_data(in);
    return changed | add_unseen_accesses(in);
  }

 private:
  static const pass_data kData;
  const bool optimised_;
};

const pass_data FewerHooks::kData = {
    GIMPLE_PASS, "heddle_fewer_hooks", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, 0};

class MarkForOpenMP : public gimple_opt_pass {
 public:
  explicit MarkForOpenMP(gcc::context* of) : gimple_opt_pass(kData, of) {}

  bool gate(function*) final override { return (flag_sanitize & SANITIZE_THREAD) != 0; }

  unsigned execute(function* in) final override {
    walk_stmt_info info;
    memset(&info, 0, sizeof info);
    gimple_seq body = gimple_body(in->decl);
    auto mark = [](gimple_stmt_iterator* at, bool*, walk_stmt_info*) -> tree {
      mark_number(gsi_stmt(*at));
      mark_single(gsi_stmt(*at));
      return NULL_TREE;
    };
    walk_gimple_seq_mod(&body, mark, nullptr, &info);
    gimple_set_body(in->decl, body);
    return 0;
  }

 private:
  static const pass_data kData;
};

const pass_data MarkForOpenMP::kData = {
    GIMPLE_PASS, "heddle_openmp", OPTGROUP_NONE, TV_NONE, PROP_gimple_any, 0, 0, 0, 0};

}  // namespace

// A GCC other than the one it was built for has other tables: then the hooks stay unchanged.
int plugin_init(plugin_name_args* plugin, plugin_gcc_version* version) {
  if (!plugin_default_version_check(version, &gcc_version)) return 0;
  static const ggc_root_tab kRoots[] = {
      {g_functions, kFunctions, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node}, LAST_GGC_ROOT_TAB};
  register_callback(plugin->base_name, PLUGIN_REGISTER_GGC_ROOTS, nullptr, const_cast<ggc_root_tab*>(kRoots));
  // Without optimisation the pass has another name.
  for (const bool optimised : {true, false}) {
    register_pass_info after{new FewerHooks(g, optimised), optimised ? "tsan" : "tsan0", 1,
                             PASS_POS_INSERT_AFTER};
    register_callback(plugin->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &after);
  }
  register_pass_info before_omp{new MarkForOpenMP(g), "omplower", 1, PASS_POS_INSERT_BEFORE};
  register_callback(plugin->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &before_omp);
  return 0;
}
