// swift-tools-version: 6.1
import PackageDescription

// A harness of its own: what is judged here are ratios of two things measured by turns in one run,
// which mean the same on every machine. ordo-one/benchmark compares absolute figures with those of
// an earlier run on the same machine, and its count of allocations reads 0 on Linux.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// RealtimeSanitizer is in the toolchain, but no Swift flag links it: scripts/check-render-path says
// where it is. Without it that one target does not link.
let sanitizer = Context.environment["REALTIME_SANITIZER"].map {
  ["-Xlinker", "--whole-archive", "-Xlinker", $0, "-Xlinker", "--no-whole-archive"]
}

let package = Package(
  name: "Benchmarks",
  dependencies: [.package(name: "Attacca", path: "..")],
  targets: [
    .target(name: "Answers", swiftSettings: settings),
    .target(name: "CAllocations"),
    .target(name: "CHolds"),
    .target(name: "CHeap"),
    .executableTarget(
      name: "Steady",
      dependencies: ["Answers", "CAllocations", .product(name: "Attacca", package: "Attacca")],
      swiftSettings: settings),
    .executableTarget(
      name: "Bench",
      dependencies: ["Answers", "CHolds", "CHeap", .product(name: "Attacca", package: "Attacca")],
      swiftSettings: settings),
    .target(name: "Measures", dependencies: ["CHeap"], swiftSettings: settings),
    .executableTarget(
      name: "Month",
      dependencies: ["Measures", .product(name: "Attacca", package: "Attacca")],
      swiftSettings: settings),
    .executableTarget(
      name: "Library",
      dependencies: [
        "Measures", .product(name: "Attacca", package: "Attacca"),
        .product(name: "AttaccaBookmarks", package: "Attacca"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "Kills",
      dependencies: [
        "Measures", .product(name: "Attacca", package: "Attacca"),
        .product(name: "AttaccaBookmarks", package: "Attacca"),
      ],
      swiftSettings: settings),
    .target(name: "CRenderPath"),
    .executableTarget(
      name: "RenderPath",
      dependencies: ["CRenderPath", .product(name: "Attacca", package: "Attacca")],
      swiftSettings: settings,
      linkerSettings: [
        .unsafeFlags(sanitizer ?? []),
        .linkedLibrary("stdc++"), .linkedLibrary("dl"), .linkedLibrary("pthread"),
        .linkedLibrary("m"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
