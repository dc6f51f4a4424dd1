// SPDX-License-Identifier: Apache-2.0

/// What every measurement reports to while it runs.
struct Measuring {
  let progress: BenchProgress
  let interruption: BenchInterruption
}
