// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The machine that figures are of: without it they mean nothing.
struct Machine {
  let processor: String
  let cores: Int
  /// Bytes.
  let memory: Int
  let system: String
  let kernel: String
  /// Processes that wanted to run in the minute before.
  let loadAverage: Double

  /// This one, now.
  init() {
    let processors = ProcFile.text("/proc/cpuinfo") ?? ""
    var name = utsname()
    uname(&name)
    let architecture = Self.text(of: name.machine)
    processor = ProcFile.value(of: "model name", in: processors) ?? architecture
    cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    memory = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
    let release = ProcFile.text("/etc/os-release") ?? ""
    system = ProcFile.value(of: "PRETTY_NAME", in: release, separator: "=") ?? "Linux"
    kernel = "\(Self.text(of: name.sysname)) \(Self.text(of: name.release)) \(architecture)"
    var load = 0.0
    getloadavg(&load, 1)
    loadAverage = load
  }

  /// "AMD EPYC, 2 cores, 7.8 GB; Debian GNU/Linux 12; Linux 6.1.0 x86_64".
  var summary: String {
    let memory = (Double(memory) / Double(1 << 30)).text(decimals: 1)
    return "\(processor), \(cores) cores, \(memory) GB; \(system); \(kernel)"
  }

  var json: JSONValue {
    .object([
      ("processor", .string(processor)),
      ("cores", .integer(cores)),
      ("memoryBytes", .integer(memory)),
      ("system", .string(system)),
      ("kernel", .string(kernel)),
      ("loadAverage", .number(loadAverage.text(decimals: 2))),
    ])
  }

  /// A C array of characters, which Swift sees as a tuple.
  private static func text<Tuple>(of field: Tuple) -> String {
    withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
