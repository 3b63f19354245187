/* cmake/targets.cmake includes this file first in every in-target file. It redirects calls of the memory functions,
   which the compiler also emits itself, to our own versions: under their usual names they are the hooks that intercept
   the program's calls (frontend/libc/memory.cpp). The folder that defines the hooks opts out. */
#ifndef HEDDLE_DEFINES_MEMORY_FUNCTIONS
__asm__(
    ".set memcpy, heddle_own_memcpy\n"
    ".set memmove, heddle_own_memmove\n"
    ".set memset, heddle_own_memset\n"
    ".set memcmp, heddle_own_memcmp");
#endif
