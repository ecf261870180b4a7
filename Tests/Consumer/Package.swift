// swift-tools-version: 6.2
import PackageDescription

// A package as a user of this one has it: only public products. `.ci/run` builds it, runs its program and its tests.
let package = Package(
    name: "consumer",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-streams", path: "../..")],
    targets: [
        .target(
            name: "QuoteModel",
            dependencies: [
                .product(name: "Streams", package: "swift-streams"), .product(name: "NetNodes", package: "swift-streams"),
            ]),
        .executableTarget(
            name: "QuoteWatcher",
            dependencies: [
                "QuoteModel", .product(name: "LoopbackServer", package: "swift-streams"),
                .product(name: "TerminalViews", package: "swift-streams"),
            ]),
        .executableTarget(name: "JobRunner", dependencies: [.product(name: "Streams", package: "swift-streams")]),
        .testTarget(name: "QuoteModelTests", dependencies: ["QuoteModel", .product(name: "StreamsTesting", package: "swift-streams")]),
    ],
    swiftLanguageModes: [.v6]
)
