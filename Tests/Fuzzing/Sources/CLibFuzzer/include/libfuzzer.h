// SPDX-License-Identifier: Apache-2.0

#include <stddef.h>
#include <stdint.h>

/// libFuzzer's own mutations: changes `size` bytes and returns how many they have become.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
