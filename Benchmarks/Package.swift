// swift-tools-version: 6.1
import PackageDescription

// A harness of its own: what is judged here are ratios of two things measured by turns in one run,
// which mean the same on every machine. ordo-one/benchmark compares absolute figures with those of
// an earlier run on the same machine, and its count of allocations reads 0 on Linux.
let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "Attacca", path: "..")],
  targets: [
    .executableTarget(
      name: "Bench",
      dependencies: [.product(name: "Attacca", package: "Attacca")],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
