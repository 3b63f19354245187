// The thread behind an async node writes to the item after it has put it back into the graph.
// expect: race
// workers: 1 2 8

#include <tbb/concurrent_queue.h>
#include <tbb/flow_graph.h>

#include <thread>
#include <utility>

#include "../../workers.hpp"

using Async = tbb::flow::async_node<int*, int*>;
int item, copy;

static int run() {
  tbb::concurrent_bounded_queue<std::pair<int*, Async::gateway_type*>> requests;
  std::thread server([&] {
    std::pair<int*, Async::gateway_type*> request;
    requests.pop(request);
    request.second->try_put(request.first);
    *request.first = 1;  // race: A
    request.second->release_wait();
  });
  tbb::flow::graph graph;
  Async ask(graph, tbb::flow::serial, [&](int* asked, Async::gateway_type& gateway) {
    gateway.reserve_wait();
    requests.push({asked, &gateway});
  });
  tbb::flow::function_node<int*> reader(graph, tbb::flow::serial, [](int* seen) { copy = *seen; });  // race: A
  tbb::flow::make_edge(ask, reader);
  ask.try_put(&item);
  graph.wait_for_all();
  server.join();
  return 0;
}

int main() { return on_workers(run); }
