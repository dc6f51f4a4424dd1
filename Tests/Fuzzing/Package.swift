// swift-tools-version: 6.1
import PackageDescription

// A package of its own, as no one who depends on Attacca needs it, and as all of it is built with
// `--sanitize=fuzzer`. The checks are those of the tests of `FuzzTests`, by a link to their folder.
let package = Package(
  name: "Fuzzing",
  dependencies: [.package(name: "Attacca", path: "../..")],
  targets: [
    .target(name: "CLibFuzzer"),
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "CLibFuzzer", .product(name: "Attacca", package: "Attacca"),
        .product(name: "AttaccaNetwork", package: "Attacca"),
        .product(name: "AttaccaService", package: "Attacca"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
