/* GCC links an object of this name (libtsan_preinit.o) first into every executable. Ours has nothing to do: the runtime starts from
 * the first constructor that calls __tsan_init, as before that there is no environment to read options from. */
typedef int heddle_nothing_here;
