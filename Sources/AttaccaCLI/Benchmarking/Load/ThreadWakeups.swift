// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Wakeups of each thread of a process so far: its voluntary context switches.
struct ThreadWakeups {
  private var threads: [pid_t: (role: ThreadRole, count: Int)] = [:]

  /// Those of a process that runs.
  init(of process: pid_t) {
    let folder = "/proc/\(process)/task"
    guard let tasks = opendir(folder) else { return }
    defer { closedir(tasks) }
    while let entry = readdir(tasks) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      // One that has ended meanwhile is none.
      guard let thread = pid_t(name), let text = ProcFile.text("\(folder)/\(name)/status"),
        let count = ProcFile.value(of: "voluntary_ctxt_switches", in: text).flatMap({ Int($0) })
      else { continue }
      let role = ThreadRole(
        name: ProcFile.value(of: "Name", in: text) ?? "", isMain: thread == process)
      threads[thread] = (role, count)
    }
  }

  /// Wakeups by role since `earlier`; a thread that has begun since counts from its beginning.
  func since(_ earlier: ThreadWakeups) -> [ThreadRole: Int] {
    var counts: [ThreadRole: Int] = [:]
    for (thread, (role, count)) in threads {
      counts[role, default: 0] += count - (earlier.threads[thread]?.count ?? 0)
    }
    return counts
  }
}
