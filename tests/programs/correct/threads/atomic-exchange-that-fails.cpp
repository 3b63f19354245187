// An exchange that fails is a load: it does not race with a plain read. This one fails in every schedule.
// expect: clean

#include <thread>

int value, copy;

int main()
{
    std::thread exchanges([] {
        int expected = 5;
        __atomic_compare_exchange_n(&value, &expected, 6, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    });
    copy = value;
    exchanges.join();
    return copy;
}
