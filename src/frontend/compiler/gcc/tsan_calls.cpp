// A plugin for GCC: fewer calls of hooks than GCC's own pass (tsan) puts in, after that pass. See compound_hooks.cpp and loop_hooks.cpp.
#include "frontend/compiler/gcc/tsan_calls.hpp"

int plugin_is_GPL_compatible;  // GCC asks for this name

namespace {

// Functions that GCC does not know, as far as they were needed. GCC's collector knows of them.
constexpr int kLoop = kSizes;
tree g_functions[kSizes + 1];

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
tree loop_hook() {
  return declare(kLoop, "__heddle_loop_accesses",
                 build_function_type_list(void_type_node, ptr_type_node, size_type_node, ptrdiff_type_node,
                                          unsigned_type_node, NULL_TREE));
}

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
  explicit FewerHooks(gcc::context* of) : gimple_opt_pass(kData, of) {}

  bool gate(function*) final override { return (flag_sanitize & SANITIZE_THREAD) != 0; }

  unsigned execute(function* in) final override {
    join_hooks(in);
    return optimize ? hoist_hooks(in) : 0;
  }

 private:
  static const pass_data kData;
};

const pass_data FewerHooks::kData = {
    GIMPLE_PASS, "heddle_fewer_hooks", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, 0};

}  // namespace

// Another GCC than the one it was built for would have other tables: then the hooks stay as they are.
int plugin_init(plugin_name_args* plugin, plugin_gcc_version* version) {
  if (!plugin_default_version_check(version, &gcc_version)) return 0;
  static const ggc_root_tab kRoots[] = {
      {g_functions, kSizes + 1, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node}, LAST_GGC_ROOT_TAB};
  register_callback(plugin->base_name, PLUGIN_REGISTER_GGC_ROOTS, nullptr, const_cast<ggc_root_tab*>(kRoots));
  register_pass_info after_tsan{new FewerHooks(g), "tsan", 1, PASS_POS_INSERT_AFTER};
  register_callback(plugin->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &after_tsan);
  return 0;
}
