// swift-tools-version: 6.2
import PackageDescription

// INSPECTED=1 shows the streams of a release build, too.
let traits: Set<Package.Dependency.Trait> = Context.environment["INSPECTED"] == nil ? [.defaults] : [.defaults, "Inspector"]
let streams: Target.Dependency = .product(name: "Streams", package: "swift-streams")

/// The forms that a program can have: the inspector finds the lines of each.
let forms = ["top-level", "top-level-await", "AtMain", "AtMainAsync"]

// A package as a user of this one has it: only public products. `.ci/long` builds it, runs its program and its tests.
let package = Package(
    name: "consumer",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-streams", path: "../..", traits: traits)],
    targets: [
        .target(name: "QuoteModel", dependencies: [.product(name: "NetNodes", package: "swift-streams")]),
        .executableTarget(
            name: "QuoteWatcher",
            dependencies: [
                "QuoteModel", .product(name: "NetNodes", package: "swift-streams"),
                .product(name: "LoopbackServer", package: "swift-streams"), .product(name: "TerminalViews", package: "swift-streams"),
            ]),
        .executableTarget(name: "JobRunner", dependencies: [streams]),
        .testTarget(
            name: "QuoteModelTests",
            dependencies: [
                "QuoteModel", .product(name: "NetNodes", package: "swift-streams"),
                .product(name: "StreamsTesting", package: "swift-streams"),
            ]),
        .target(name: "InspectedForms", dependencies: [streams, .product(name: "StreamsInspector", package: "swift-streams")]),
        .testTarget(
            name: "InspectedFormsTests",
            dependencies: [streams, .product(name: "StreamsInspector", package: "swift-streams"), "top-level"]),
    ] + forms.map { .executableTarget(name: $0, dependencies: ["InspectedForms", streams]) },
    swiftLanguageModes: [.v6]
)
