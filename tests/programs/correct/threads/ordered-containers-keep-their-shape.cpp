// Random changes of trees and lists, each thread on its own ones: Heddle's functions for the links of nodes do what
// libstdc++'s do. Trees are red-black trees with the right elements in order, lists have the right elements.
// expect: clean

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <list>
#include <map>
#include <random>
#include <set>
#include <thread>
#include <vector>

void require(bool holds) {
  if (!holds) std::abort();
}

using Node = std::_Rb_tree_node_base;

// The number of black nodes on each path from this node down.
int black_height(const Node* node, const Node* parent) {
  if (!node) return 0;
  require(node->_M_parent == parent);
  if (node->_M_color == std::_S_red)
    for (const Node* child : {node->_M_left, node->_M_right}) require(!child || child->_M_color == std::_S_black);
  const int left = black_height(node->_M_left, node);
  require(left == black_height(node->_M_right, node));
  return left + (node->_M_color == std::_S_black);
}

void check(const std::multiset<int>& set, const std::vector<int>& sorted) {
  require(std::equal(set.begin(), set.end(), sorted.begin(), sorted.end()));
  require(std::equal(set.rbegin(), set.rend(), sorted.rbegin(), sorted.rend()));
  const Node* header = set.end()._M_node;
  require(header->_M_color == std::_S_red);
  if (header->_M_parent) require(header->_M_parent->_M_color == std::_S_black);
  black_height(header->_M_parent, header);
  if (!set.empty()) require(header->_M_left == set.begin()._M_node && header->_M_right == std::prev(set.end())._M_node);
}

void change_trees(unsigned seed) {
  std::mt19937 random(seed);
  for (int round = 0; round < 100; ++round) {
    std::multiset<int> set;
    std::vector<int> sorted;
    const unsigned largest = 1 + random() % 40;
    for (int change = 0; change < 60; ++change) {
      const int value = static_cast<int>(random() % 20);
      const auto place = std::lower_bound(sorted.begin(), sorted.end(), value);
      if (sorted.size() < largest && random() % 2) {
        set.insert(value);
        sorted.insert(place, value);
      } else if (place != sorted.end() && *place == value) {
        set.erase(set.find(value));
        sorted.erase(place);
      }
      check(set, sorted);
    }
  }
}

void check(const std::list<int>& list, const std::vector<int>& expected) {
  require(std::equal(list.begin(), list.end(), expected.begin(), expected.end()));
  require(std::equal(list.rbegin(), list.rend(), expected.rbegin(), expected.rend()));
}

void change_lists(unsigned seed) {
  std::mt19937 random(seed);
  std::list<int> lists[2];
  std::vector<int> expected[2];
  for (int change = 0; change < 4000; ++change) {
    const unsigned which = random() % 2;
    std::list<int>& list = lists[which];
    std::vector<int>& values = expected[which];
    const auto offset = static_cast<std::ptrdiff_t>(random() % (values.size() + 1));
    const auto place = std::next(list.begin(), offset);
    switch (random() % (values.size() > 20 ? 8 : 6)) {
      case 0:
      case 1:
        list.insert(place, change);
        values.insert(values.begin() + offset, change);
        break;
      case 2:
        list.reverse();
        std::reverse(values.begin(), values.end());
        break;
      case 3:
        lists[0].swap(lists[1]);
        expected[0].swap(expected[1]);
        break;
      case 4: {  // a part of the other list
        const auto size = static_cast<std::ptrdiff_t>(expected[!which].size());
        const auto end = static_cast<std::ptrdiff_t>(random() % static_cast<unsigned>(size + 1));
        list.splice(place, lists[!which], lists[!which].begin(), std::next(lists[!which].begin(), end));
        values.insert(values.begin() + offset, expected[!which].begin(), expected[!which].begin() + end);
        expected[!which].erase(expected[!which].begin(), expected[!which].begin() + end);
        break;
      }
      case 5:
        list.sort();
        std::sort(values.begin(), values.end());
        break;
      default:
        if (place == list.end()) break;
        list.erase(place);
        values.erase(values.begin() + offset);
    }
    check(lists[0], expected[0]);
    check(lists[1], expected[1]);
  }
}

int main() {
  std::thread first([] { change_trees(1), change_lists(2); });
  std::thread second([] { change_trees(3), change_lists(4); });
  first.join();
  second.join();
  return 0;
}
