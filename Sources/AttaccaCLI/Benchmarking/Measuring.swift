// SPDX-License-Identifier: Apache-2.0

/// The receiver of a measurement's reports while it runs.
struct Measuring {
  let progress: BenchProgress
  let interruption: BenchInterruption
}
