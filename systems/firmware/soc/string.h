// Copyright Hashfabric contributors. SPDX-License-Identifier: Apache-2.0

#ifndef HF_STRING_H
#define HF_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memset(void *to, int value, size_t bytes);

#endif
