// Lets a program have its own members of std::string, with hooks. libstdc++ has them instantiated up to C++17, and its
// headers declare that (bits/basic_string.tcc); what such a member does in the library is not seen. The value -1 means:
// no such declarations, for strings only. A macro of the command line cannot say so, as this header would redefine it.
#include_next <bits/c++config.h>

#if _GLIBCXX_EXTERN_TEMPLATE > 0
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#endif
