/* Included before everything else in every in-target file (cmake/targets.cmake): calls of the memory functions, which the compiler also
   makes by itself, go to our own versions. Under their usual names they are hooks of the program's (frontend/libc/memory.cpp).
   The folder that defines the hooks opts out. */
#ifndef HEDDLE_DEFINES_MEMORY_FUNCTIONS
__asm__(
    ".set memcpy, heddle_own_memcpy\n"
    ".set memmove, heddle_own_memmove\n"
    ".set memset, heddle_own_memset\n"
    ".set memcmp, heddle_own_memcmp");
#endif
