// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CConfinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

pid_t attacca_fork(void) { return fork(); }

void attacca_keep_descriptors(const int *kept, int count, int first) {
  // Above all places first: a descriptor may stand where another one goes.
  int moved[8];
  for (int i = 0; i < count && i < 8; i++) {
    moved[i] = fcntl(kept[i], F_DUPFD_CLOEXEC, first + count);
  }
  for (int i = 0; i < count && i < 8; i++) dup2(moved[i], first + i);
  close_range(first + count, ~0U, 0);
}

void attacca_limit_work(int seconds) {
  struct itimerval limit = {.it_value = {.tv_sec = seconds}};
  setitimer(ITIMER_PROF, &limit, 0);
}

static void limit(int resource, rlim_t most) {
  struct rlimit value = {.rlim_cur = most, .rlim_max = most};
  setrlimit(resource, &value);
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE
#define ALLOW(call)                                  \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),   \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static int filter_calls(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      ALLOW(SYS_read), ALLOW(SYS_write), ALLOW(SYS_readv), ALLOW(SYS_writev), ALLOW(SYS_pread64),
      ALLOW(SYS_lseek), ALLOW(SYS_fstat), ALLOW(SYS_close), ALLOW(SYS_sendto),
      ALLOW(SYS_recvfrom), ALLOW(SYS_mmap), ALLOW(SYS_mprotect), ALLOW(SYS_munmap),
      ALLOW(SYS_mremap), ALLOW(SYS_madvise), ALLOW(SYS_brk), ALLOW(SYS_futex),
      ALLOW(SYS_rt_sigaction), ALLOW(SYS_rt_sigprocmask), ALLOW(SYS_rt_sigreturn),
      ALLOW(SYS_setitimer), ALLOW(SYS_clock_gettime), ALLOW(SYS_clock_nanosleep),
      ALLOW(SYS_nanosleep), ALLOW(SYS_getrandom), ALLOW(SYS_sched_yield),
      ALLOW(SYS_sched_getaffinity), ALLOW(SYS_getpid), ALLOW(SYS_gettid),
      ALLOW(SYS_exit), ALLOW(SYS_exit_group), ALLOW(SYS_restart_syscall),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}
#else
static int filter_calls(void) { return -1; }
#endif

// AddressSanitizer has terabytes of addresses, and looks for leaks with a thread of its own: a confined process has
// neither, and ended at its first allocation.
#if __has_feature(address_sanitizer)
static int is_confined;
int __lsan_is_turned_off(void) { return is_confined; }
static void limit_memory(uint64_t memory) { is_confined = 1; }
#else
static void limit_memory(uint64_t memory) { limit(RLIMIT_AS, memory); }
#endif

int attacca_confine(uint64_t memory) {
  limit_memory(memory);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_NOFILE, 0);
  limit(RLIMIT_NPROC, 0);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return filter_calls() == 0 ? 0 : 1;
}
