// An async node hands its messages to a thread of the program, which puts the answers back into the graph.
// expect: clean
// workers: 1 2 8

#include <tbb/concurrent_queue.h>
#include <tbb/flow_graph.h>

#include <thread>
#include <utility>

#include "../../workers.hpp"

using Async = tbb::flow::async_node<int*, int*>;
int items[10], sum;

static int run() {
  tbb::concurrent_bounded_queue<std::pair<int*, Async::gateway_type*>> requests;
  std::thread server([&] {
    for (;;) {
      std::pair<int*, Async::gateway_type*> request;
      requests.pop(request);
      if (request.first == nullptr) return;
      *request.first *= 2;
      request.second->try_put(request.first);
      request.second->release_wait();
    }
  });
  tbb::flow::graph graph;
  Async ask(graph, tbb::flow::unlimited, [&](int* item, Async::gateway_type& gateway) {
    *item += 1;
    gateway.reserve_wait();
    requests.push({item, &gateway});
  });
  tbb::flow::function_node<int*> add(graph, tbb::flow::serial, [](int* item) { sum += *item; });
  tbb::flow::make_edge(ask, add);
  for (int i = 0; i < 10; ++i) {
    items[i] = i;
    ask.try_put(&items[i]);
  }
  graph.wait_for_all();
  requests.push({nullptr, nullptr});
  server.join();
  return sum != 110;
}

int main() { return on_workers(run); }
