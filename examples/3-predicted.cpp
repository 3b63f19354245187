// A mailbox under a mutex. The receiver looks once; the sender fills in the letter outside of the lock, before it
// posts.
//
// In most runs the letter is ready when the receiver looks, and then the lock hands it over: nothing went wrong, and
// nothing in this run tells whether the receiver would have kept its hands off an empty mailbox. So Heddle does not
// call it a bug. It counts a *predicted* race and leaves the exit code alone; `heddle run --predicted` shows it. Here
// the prediction is too careful: the flag protects. Without the flag (-DCARELESS) it is the same finding, and a bug.
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>

static std::mutex mutex;
static bool posted = false;
static int letter = 0;

int main() {
  std::thread sender([] {
    letter = 7;
    std::lock_guard guard(mutex);
    posted = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  bool ready;
  {
    std::lock_guard guard(mutex);
    ready = posted;
  }
#ifdef CARELESS
  ready = true;
#endif
  if (ready) std::printf("letter %d\n", letter);
  sender.join();
}
