#ifndef FRAMEFAST_CXXHASH_H
#define FRAMEFAST_CXXHASH_H

#include <xxhash.h>

#endif
