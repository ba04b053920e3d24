// SPDX-License-Identifier: MIT
//
// The header holds everything; a C target needs one source file.

#include "CCurl.h"
