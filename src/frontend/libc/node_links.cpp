// The links between the nodes of std::map, std::set and std::list, which libstdc++ changes in its own code: its headers
// call these functions, so an insertion in one thread beside a search in another one would not be seen.
//
// The functions are written anew, with each access reported before it is made. There are no real ones to call where
// libstdc++ is linked statically. Layout and contract are those of bits/stl_tree.h and bits/stl_list.h; the trees are
// red-black trees (Guibas and Sedgewick 1978), balanced as in Cormen et al., "Introduction to Algorithms", chapter 13.
#include "frontend/range_call.hpp"

namespace {

using namespace heddle;

// Reads and writes the fields of nodes, on behalf of one call.
class Fields {
 public:
  explicit Fields(RangeCall& call) : call_(call) {}
  template <class T>
  T get(T& field) {
    call_.reads(&field, sizeof field);
    return field;
  }
  template <class T>
  void set(T& field, std::type_identity_t<T> value) {
    call_.writes(&field, sizeof field);
    field = value;
  }

 private:
  RangeCall& call_;
};

// --- trees ----------------------------------------------------------------------------------------------------------

enum Colour : int { kRed = 0, kBlack = 1 };
enum Side : int { kLeft = 0, kRight = 1 };

// The header of a tree is a red node: its parent is the root, its children are the first and the last node.
struct TreeNode {
  Colour colour;
  TreeNode* parent;
  TreeNode* child[2];
};

Side opposite(Side side) { return side == kLeft ? kRight : kLeft; }

class Tree {
 public:
  Tree(RangeCall& call, TreeNode& header) : fields_(call), header_(header) {}

  void insert(TreeNode* node, TreeNode* parent, Side side) {
    fields_.set(node->colour, kRed);
    fields_.set(node->parent, parent);
    fields_.set(node->child[kLeft], nullptr);
    fields_.set(node->child[kRight], nullptr);
    if (parent == &header_) {
      fields_.set(header_.parent, node);
      fields_.set(header_.child[kLeft], node);
      fields_.set(header_.child[kRight], node);
    } else {
      fields_.set(parent->child[side], node);
      if (parent == fields_.get(header_.child[side])) fields_.set(header_.child[side], node);
    }
    separate_red(node);
  }

  void erase(TreeNode* node) {
    TreeNode* const left = fields_.get(node->child[kLeft]);
    TreeNode* const right = fields_.get(node->child[kRight]);
    TreeNode* const parent = fields_.get(node->parent);
    Colour removed = fields_.get(node->colour);
    TreeNode* moved;  // takes the place from which a colour is removed; perhaps null, so its parent is kept
    TreeNode* moved_parent;
    if (left && right) {
      TreeNode* const next = last(right, kLeft);  // takes the place of the erased node
      moved = fields_.get(next->child[kRight]);
      moved_parent = next;
      fields_.set(left->parent, next);
      fields_.set(next->child[kLeft], left);
      if (next != right) {
        moved_parent = fields_.get(next->parent);
        if (moved) fields_.set(moved->parent, moved_parent);
        fields_.set(moved_parent->child[kLeft], moved);
        fields_.set(next->child[kRight], right);
        fields_.set(right->parent, next);
      }
      replace(node, parent, next);
      fields_.set(next->parent, parent);
      const Colour colour = removed;
      removed = fields_.get(next->colour);
      fields_.set(next->colour, colour);
    } else {
      moved = left ? left : right;
      moved_parent = parent;
      if (moved) fields_.set(moved->parent, parent);
      replace(node, parent, moved);
      for (Side side : {kLeft, kRight})
        if (fields_.get(header_.child[side]) == node)
          fields_.set(header_.child[side], moved ? last(moved, side) : parent);
    }
    if (removed == kBlack) add_black(moved, moved_parent);
  }

 private:
  bool red(TreeNode* node) { return node && fields_.get(node->colour) == kRed; }
  bool is_root(TreeNode* node) { return node == fields_.get(header_.parent); }
  Side side_of(TreeNode* node, TreeNode* parent) {
    return node == fields_.get(parent->child[kLeft]) ? kLeft : kRight;
  }
  TreeNode* last(TreeNode* node, Side side) {
    while (TreeNode* child = fields_.get(node->child[side])) node = child;
    return node;
  }

  // Lets the parent of a node have another child in its place.
  void replace(TreeNode* node, TreeNode* parent, TreeNode* by) {
    if (is_root(node))
      fields_.set(header_.parent, by);
    else
      fields_.set(parent->child[side_of(node, parent)], by);
  }

  // The node goes down to that side; its child on the other side comes up.
  void rotate(TreeNode* node, Side down) {
    TreeNode* const up = fields_.get(node->child[opposite(down)]);
    TreeNode* const inner = fields_.get(up->child[down]);
    TreeNode* const parent = fields_.get(node->parent);
    fields_.set(node->child[opposite(down)], inner);
    if (inner) fields_.set(inner->parent, node);
    fields_.set(up->parent, parent);
    replace(node, parent, up);
    fields_.set(up->child[down], node);
    fields_.set(node->parent, up);
  }

  // The node has become red; its parent may be red, too.
  void separate_red(TreeNode* node) {
    while (!is_root(node)) {
      TreeNode* parent = fields_.get(node->parent);
      if (!red(parent)) break;
      TreeNode* const grandparent = fields_.get(parent->parent);
      const Side side = side_of(parent, grandparent);
      TreeNode* const uncle = fields_.get(grandparent->child[opposite(side)]);
      if (red(uncle)) {
        fields_.set(parent->colour, kBlack);
        fields_.set(uncle->colour, kBlack);
        fields_.set(grandparent->colour, kRed);
        node = grandparent;
        continue;
      }
      if (side_of(node, parent) != side) {
        rotate(parent, side);
        parent = node;
      }
      fields_.set(parent->colour, kBlack);
      fields_.set(grandparent->colour, kRed);
      rotate(grandparent, opposite(side));
      break;
    }
    fields_.set(fields_.get(header_.parent)->colour, kBlack);
  }

  // The paths through the node, which may be null, lack a black one.
  void add_black(TreeNode* node, TreeNode* parent) {
    while (!is_root(node) && !red(node)) {
      const Side side = side_of(node, parent);
      TreeNode* sibling = fields_.get(parent->child[opposite(side)]);
      if (red(sibling)) {
        fields_.set(sibling->colour, kBlack);
        fields_.set(parent->colour, kRed);
        rotate(parent, side);
        sibling = fields_.get(parent->child[opposite(side)]);
      }
      TreeNode* const near = fields_.get(sibling->child[side]);
      TreeNode* far = fields_.get(sibling->child[opposite(side)]);
      if (!red(near) && !red(far)) {
        fields_.set(sibling->colour, kRed);
        node = parent;
        parent = fields_.get(node->parent);
        continue;
      }
      if (!red(far)) {
        fields_.set(near->colour, kBlack);
        fields_.set(sibling->colour, kRed);
        rotate(sibling, opposite(side));
        far = sibling;
        sibling = near;
      }
      fields_.set(sibling->colour, fields_.get(parent->colour));
      fields_.set(parent->colour, kBlack);
      fields_.set(far->colour, kBlack);
      rotate(parent, side);
      return;
    }
    if (node) fields_.set(node->colour, kBlack);
  }

  Fields fields_;
  TreeNode& header_;
};

// The next node to that side, or the header. From the header: the node at its other end, if to the left (--end()).
TreeNode* neighbour(RangeCall& call, TreeNode* node, Side side) {
  Fields fields(call);
  if (side == kLeft && fields.get(node->colour) == kRed &&
      fields.get(fields.get(node->parent)->parent) == node)
    return fields.get(node->child[kRight]);
  if (TreeNode* child = fields.get(node->child[side])) {
    while (TreeNode* further = fields.get(child->child[opposite(side)])) child = further;
    return child;
  }
  TreeNode* parent = fields.get(node->parent);
  while (node == fields.get(parent->child[side])) {
    node = parent;
    parent = fields.get(parent->parent);
  }
  // The root without a child to the right: the climb has passed the header.
  return side == kRight && fields.get(node->child[side]) == parent ? node : parent;
}

// --- lists ----------------------------------------------------------------------------------------------------------

// A list is a ring with a node that is its end.
struct ListNode {
  ListNode* next;
  ListNode* previous;
};

void link(Fields& fields, ListNode* first, ListNode* second) {
  fields.set(first->next, second);
  fields.set(second->previous, first);
}

// The ring of `end` becomes: the nodes from first to last, or none if these are those of an empty ring, `other`.
void take_all(Fields& fields, ListNode* end, ListNode* first, ListNode* last, ListNode* other) {
  link(fields, end, first == other ? end : first);
  if (first != other) link(fields, last, end);
}

}  // namespace

HEDDLE_DEFINE(void, _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_, bool left,
              TreeNode* node, TreeNode* parent, TreeNode& header) {
  HEDDLE_RANGE_CALL(call);
  Tree(call, header).insert(node, parent, left ? kLeft : kRight);
}
// Returns the node that can be destroyed.
HEDDLE_DEFINE(TreeNode*, _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_, TreeNode* node,
              TreeNode& header) {
  HEDDLE_RANGE_CALL(call);
  Tree(call, header).erase(node);
  return node;
}
#define HEDDLE_NEIGHBOUR(name, side)               \
  HEDDLE_DEFINE(TreeNode*, name, TreeNode* node) { \
    HEDDLE_RANGE_CALL(call);                       \
    return neighbour(call, node, side);            \
  }
HEDDLE_NEIGHBOUR(_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base, kRight)
HEDDLE_NEIGHBOUR(_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base, kRight)
HEDDLE_NEIGHBOUR(_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base, kLeft)
HEDDLE_NEIGHBOUR(_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base, kLeft)

#define HEDDLE_LIST_FUNCTION(result, name, ...) \
  HEDDLE_DEFINE(result, _ZNSt8__detail15_List_node_base##name, __VA_ARGS__)

// Inserts the node before another one.
HEDDLE_LIST_FUNCTION(void, 7_M_hookEPS0_, ListNode* node, ListNode* next) {
  HEDDLE_RANGE_CALL(call);
  Fields fields(call);
  ListNode* const previous = fields.get(next->previous);
  link(fields, previous, node);
  link(fields, node, next);
}
HEDDLE_LIST_FUNCTION(void, 9_M_unhookEv, ListNode* node) {
  HEDDLE_RANGE_CALL(call);
  Fields fields(call);
  ListNode* const next = fields.get(node->next);
  link(fields, fields.get(node->previous), next);
}
// Moves the nodes from `first` to the one before `end` to the place before `node`.
HEDDLE_LIST_FUNCTION(void, 11_M_transferEPS0_S1_, ListNode* node, ListNode* first, ListNode* end) {
  HEDDLE_RANGE_CALL(call);
  Fields fields(call);
  if (node == end) return;
  ListNode* const last = fields.get(end->previous);
  ListNode* const before_first = fields.get(first->previous);
  ListNode* const before_node = fields.get(node->previous);
  link(fields, last, node);
  link(fields, before_first, end);
  link(fields, before_node, first);
}
HEDDLE_LIST_FUNCTION(void, 10_M_reverseEv, ListNode* end) {
  HEDDLE_RANGE_CALL(call);
  Fields fields(call);
  ListNode* node = end;
  do {
    ListNode* const next = fields.get(node->next);
    fields.set(node->next, fields.get(node->previous));
    fields.set(node->previous, next);
    node = next;
  } while (node != end);
}
HEDDLE_LIST_FUNCTION(void, 4swapERS0_S1_, ListNode& a, ListNode& b) {
  HEDDLE_RANGE_CALL(call);
  Fields fields(call);
  ListNode* const first_of_a = fields.get(a.next);
  ListNode* const last_of_a = fields.get(a.previous);
  ListNode* const first_of_b = fields.get(b.next);
  ListNode* const last_of_b = fields.get(b.previous);
  take_all(fields, &a, first_of_b, last_of_b, &b);
  take_all(fields, &b, first_of_a, last_of_a, &a);
}
