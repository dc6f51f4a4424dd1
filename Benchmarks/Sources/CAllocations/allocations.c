// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE

#include "allocations.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// The program's malloc is found before the C library's, by the libraries too. These are the C
// library's own names for what would be called without it.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

enum { DEPTH = 40, SITES = 4096, OWN = 2 };

struct site {
  unsigned long count;
  size_t depth;
  void *callers[DEPTH];
};

static struct site sites[SITES];
static size_t used;
static unsigned long missed;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static atomic_bool is_counting;
// What looks for the callers may allocate.
static _Thread_local bool is_noting;

static __attribute__((noinline)) void note(void) {
  if (is_noting) return;
  is_noting = true;
  void *stack[OWN + DEPTH];
  int count = backtrace(stack, OWN + DEPTH);
  size_t depth = count > OWN ? (size_t)(count - OWN) : 0;
  size_t bytes = depth * sizeof(void *);
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
  }
  size_t i = 0;
  while (i < used && (sites[i].depth != depth || memcmp(sites[i].callers, stack + OWN, bytes))) i++;
  if (i == used && used < SITES) {
    sites[used++] = (struct site){.depth = depth};
    memcpy(sites[i].callers, stack + OWN, bytes);
  }
  if (i < used) sites[i].count++;
  else missed++;
  atomic_flag_clear_explicit(&lock, memory_order_release);
  is_noting = false;
}

#define NOTE()                                                         \
  if (atomic_load_explicit(&is_counting, memory_order_relaxed)) note()

void *malloc(size_t size) {
  NOTE();
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  NOTE();
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  NOTE();
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  NOTE();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  NOTE();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  NOTE();
  void *new = __libc_memalign(alignment, size);
  if (!new) return ENOMEM;
  *memory = new;
  return 0;
}

void count_allocations(bool counts) {
  if (counts) {
    // The first time it loads a library.
    void *stack[1];
    backtrace(stack, 1);
    used = 0;
    missed = 0;
  }
  atomic_store(&is_counting, counts);
}

size_t allocation_sites(void) { return used; }
unsigned long allocations_at(size_t site) { return sites[site].count; }
size_t callers_at(size_t site) { return sites[site].depth; }
void *caller_at(size_t site, size_t number) { return sites[site].callers[number]; }
unsigned long allocations_missed(void) { return missed; }

/// The program's file in memory, and what was added to its addresses.
static const char *program(uintptr_t *base) {
  static const char *file;
  static uintptr_t loaded;
  if (!file) {
    struct link_map *map;
    Dl_info info;
    if (!dladdr1((void *)count_allocations, &info, (void **)&map, RTLD_DL_LINKMAP)) return NULL;
    loaded = map->l_addr;
    int descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status)) return NULL;
    void *memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    close(descriptor);
    if (memory == MAP_FAILED) return NULL;
    file = memory;
  }
  *base = loaded;
  return file;
}

const char *function_at(void *address) {
  Dl_info info;
  if (!is_program(address)) {
    return dladdr(address, &info) ? info.dli_sname : NULL;
  }
  uintptr_t base;
  const char *file = program(&base);
  if (!file) return NULL;
  uintptr_t wanted = (uintptr_t)address - base;
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + header->e_shoff);
  for (int i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const Elf64_Sym *symbols = (const Elf64_Sym *)(file + sections[i].sh_offset);
    const char *names = file + sections[sections[i].sh_link].sh_offset;
    for (size_t n = 0; n < sections[i].sh_size / sizeof(Elf64_Sym); n++) {
      const Elf64_Sym *symbol = &symbols[n];
      if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && wanted >= symbol->st_value
          && wanted - symbol->st_value < symbol->st_size) {
        return names + symbol->st_name;
      }
    }
  }
  return NULL;
}

const char *image_at(void *address) {
  Dl_info info;
  return dladdr(address, &info) ? info.dli_fname : NULL;
}

bool is_program(void *address) {
  Dl_info own, other;
  return dladdr((void *)count_allocations, &own) && dladdr(address, &other)
    && own.dli_fbase == other.dli_fbase;
}

// The Swift runtime's.
extern char *swift_demangle(const char *, size_t, char *, size_t *, uint32_t);

char *readable_name(const char *symbol) {
  return swift_demangle(symbol, strlen(symbol), NULL, NULL, 0);
}
