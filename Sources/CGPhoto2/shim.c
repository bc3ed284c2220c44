#include "CGPhoto2.h"
