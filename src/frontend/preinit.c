/* GCC links an object of this name (libtsan_preinit.o) first into every executable. Ours is empty: the runtime starts
 * in the first constructor that calls __tsan_init, because the environment with the options is not readable earlier. */
typedef int heddle_nothing_here;
