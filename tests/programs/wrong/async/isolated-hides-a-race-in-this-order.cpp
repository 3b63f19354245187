// The example of Nakade et al. (Fig. 1): whether the writes race depends on which section came first.
// expect: predicted

#include <heddle/async.hpp>

int g;

int main() {
  heddle::finish([] {
    heddle::async([] {
      heddle::isolated([] {});
      g = 2;  // race: A
    });
    heddle::isolated([] { g = 1; });  // race: A
  });
  return g < 1;
}
