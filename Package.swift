// swift-tools-version: 6.2
import PackageDescription

// On Linux FoundationNetworking has a library of its own, which a statically linked program cannot have without libcurl's development
// package: so the transport through URLSession, the default of Apple's systems, is a module of its own there.
#if os(Linux)
    let urlSession = "Transport/URLSession"
    let urlSessionProducts: [Product] = [.library(name: "NetNodesURLSession", targets: ["NetNodesURLSession"])]
    let urlSessionTargets: [Target] = [
        .target(name: "NetNodesURLSession", dependencies: ["NetNodes", "Streams"], path: "Sources/NetNodes/\(urlSession)")
    ]
    let excludedFromNetNodes = [urlSession]
    let netNodesTestDependencies: [Target.Dependency] = ["NetNodesURLSession"]
#else
    let urlSessionProducts: [Product] = []
    let urlSessionTargets: [Target] = []
    let excludedFromNetNodes: [String] = []
    let netNodesTestDependencies: [Target.Dependency] = []
#endif

// A debug build can be inspected, and a release build with `--traits Inspector`: what only that needs is in one file, the probe in Streams.
let inspector: [SwiftSetting] = [
    .define("STREAMS_INSPECTOR", .when(configuration: .debug)), .define("STREAMS_INSPECTOR", .when(traits: ["Inspector"])),
]

/// A library of streams comes with the inspector: a program that is linked with it can be inspected, and imports nothing for that.
func library(_ name: String) -> Product { .library(name: name, targets: [name, "StreamsInspector"]) }

let package = Package(
    name: "swift-streams",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Schedulers", targets: ["Schedulers"]),
        library("Streams"),
        .library(name: "StreamsInspector", targets: ["StreamsInspector"]),
        library("SocketNodes"),
        library("NetNodes"),
        library("NodeKit"),
        library("NATSNodes"),
        library("SystemSources"),
        library("StreamsTesting"),
        library("StreamsSimulator"),
        library("LoopbackServer"),
        .library(name: "HTTPMessages", targets: ["HTTPMessages"]),
        library("Redaction"),
        .library(name: "WebSocketFrames", targets: ["WebSocketFrames"]),
        library("TerminalViews"),
        .executable(name: "pulse", targets: ["pulse"]),
    ] + urlSessionProducts,
    traits: [.trait(name: "Inspector", description: "Shows the running streams of a release build, too: `Inspector`.")],
    targets: [
        .target(name: "CStreamsSystem"),
        .target(name: "Schedulers", dependencies: ["CStreamsSystem"], swiftSettings: [.strictMemorySafety()]),
        .target(name: "Streams", dependencies: ["Schedulers"], swiftSettings: inspector + [.strictMemorySafety()]),
        .target(name: "CInspector"),
        .target(name: "StreamsInspector", dependencies: ["Streams", "CInspector", "CStreamsSystem"]),
        .target(
            name: "CLibcurl",
            linkerSettings: [
                // Elsewhere it is loaded when it is first used.
                .linkedLibrary("curl", .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS]))
            ]
        ),
        .target(name: "Bytes"),
        .target(name: "Sockets", dependencies: ["Schedulers", "CStreamsSystem"]),
        .target(name: "HTTPMessages", dependencies: ["Bytes"]),
        .target(name: "WebSocketFrames"),
        .target(name: "Redaction", dependencies: ["Streams", "HTTPMessages", "Bytes"]),
        .target(name: "SocketNodes", dependencies: ["Redaction", "Streams", "Schedulers", "CLibcurl", "Sockets", "HTTPMessages"]),
        .target(
            name: "NetNodes",
            dependencies: ["SocketNodes", "Streams", "CLibcurl", "Sockets", "HTTPMessages", "Bytes", "WebSocketFrames"],
            exclude: excludedFromNetNodes),
        .target(name: "NodeKit", dependencies: ["NetNodes", "Streams"]),
        .target(name: "NATSNodes", dependencies: ["SocketNodes", "Streams", "HTTPMessages", "Bytes"]),
        .target(name: "SystemSources", dependencies: ["Streams", "Schedulers", "Bytes", "CStreamsSystem"]),
        .target(name: "StreamsTesting", dependencies: ["Streams", "Schedulers", "StreamsInspector"]),
        .target(
            name: "LoopbackServer", dependencies: ["Streams", "Schedulers", "Sockets", "HTTPMessages", "Bytes", "WebSocketFrames"]),
        .target(
            name: "StreamsSimulator",
            dependencies: [
                "StreamsTesting", "StreamsInspector", "Streams", "Schedulers", "NetNodes", "LoopbackServer", "SystemSources", "Sockets",
                "HTTPMessages", "Bytes", "CStreamsSystem",
            ]),
        .target(name: "TerminalViews", dependencies: ["Streams"]),
        .executableTarget(
            name: "pulse",
            dependencies: [
                "Streams", "NATSNodes", "NetNodes", "LoopbackServer", "SystemSources", "TerminalViews", "StreamsInspector", "Bytes",
            ]),
        .executableTarget(
            name: "ServiceScreen", dependencies: ["NetNodes", "TerminalViews", "StreamsInspector"], path: "Docs/Examples/ServiceScreen"),
        .executableTarget(name: "QuoteBus", dependencies: ["NATSNodes", "StreamsInspector"], path: "Docs/Examples/QuoteBus"),
        .executableTarget(
            name: "ExampleService", dependencies: ["SystemSources", "StreamsInspector"], path: "Docs/Examples/ExampleService"),
        .executableTarget(
            name: "InboxService", dependencies: ["SystemSources", "StreamsInspector"], path: "Docs/Examples/InboxService",
            exclude: ["check"]),
        .executableTarget(
            name: "Shop", dependencies: ["Streams", "NATSNodes", "NetNodes", "LoopbackServer", "StreamsSimulator", "SystemSources"],
            path: "Docs/Examples/Shop", exclude: ["check"]),
        .executableTarget(name: "Debugging", dependencies: ["Streams", "StreamsInspector"], path: "Docs/Examples/Debugging"),
        .target(
            name: "TestSupport",
            dependencies: [
                "Streams", "Schedulers", "SocketNodes", "NATSNodes", "NetNodes", "WebSocketFrames", "LoopbackServer", "TerminalViews",
            ],
            path: "Tests/TestSupport", exclude: ["Corpora/Inputs"]),
        .target(name: "OperatorCatalogue", dependencies: ["Streams", "StreamsTesting"], path: "Tests/OperatorCatalogue"),
        .executableTarget(
            name: "Probe",
            dependencies: [
                "Streams", "StreamsInspector", "NATSNodes", "NetNodes", "LoopbackServer", "SystemSources", "TerminalViews", "TestSupport",
            ],
            path: "Tests/Probe"),
        .testTarget(name: "BytesTests", dependencies: ["Bytes", "StreamsTesting"]),
        .testTarget(name: "HTTPMessagesTests", dependencies: ["HTTPMessages", "StreamsTesting", "TestSupport"]),
        .testTarget(
            name: "SchedulersTests",
            dependencies: [
                "Schedulers", "Sockets", "Streams", "SystemSources", "TerminalViews", "StreamsInspector", "StreamsTesting", "TestSupport",
                "Probe",
            ]),
        .testTarget(
            name: "StreamsTests", dependencies: ["Streams", "StreamsInspector", "StreamsTesting", "OperatorCatalogue"],
            exclude: ["Flow/ReactiveStreams.md"]),
        .testTarget(name: "StreamsTestingTests", dependencies: ["StreamsTesting", "StreamsInspector"]),
        .testTarget(name: "RedactionTests", dependencies: ["Redaction", "StreamsTesting"]),
        .testTarget(name: "SocketNodesTests", dependencies: ["SocketNodes", "Streams", "StreamsTesting", "TestSupport"]),
        .testTarget(
            name: "NetNodesTests",
            dependencies: [
                "NetNodes", "NodeKit", "SocketNodes", "Redaction", "CLibcurl", "Bytes", "WebSocketFrames", "LoopbackServer",
                "StreamsInspector", "StreamsTesting", "TestSupport",
            ] + netNodesTestDependencies,
            exclude: ["Examples/Listings.md"]),
        .testTarget(
            name: "NATSNodesTests",
            dependencies: [
                "NATSNodes", "LoopbackServer", "SystemSources", "StreamsInspector", "StreamsTesting", "TestSupport", "Probe", "QuoteBus",
            ]),
        .testTarget(name: "SystemSourcesTests", dependencies: ["LoopbackServer", "SystemSources", "StreamsTesting", "TestSupport"]),
        .testTarget(
            name: "LoopbackServerTests", dependencies: ["LoopbackServer", "WebSocketFrames", "Streams", "StreamsTesting", "TestSupport"]),
        .testTarget(name: "TerminalViewsTests", dependencies: ["TerminalViews", "StreamsTesting", "TestSupport"]),
        .testTarget(
            name: "StreamsSimulatorTests",
            dependencies: [
                "StreamsSimulator", "Streams", "StreamsInspector", "NATSNodes", "NetNodes", "WebSocketFrames", "LoopbackServer",
                "SystemSources", "StreamsTesting", "TestSupport", "Shop", "InboxService",
            ]),
        .testTarget(name: "ExamplesTests", dependencies: ["ExampleService", "Streams", "StreamsTesting", "TestSupport"]),
        .testTarget(
            name: "pulseTests",
            dependencies: [
                "pulse", "Streams", "StreamsInspector", "NATSNodes", "NetNodes", "LoopbackServer", "TerminalViews", "StreamsTesting",
                "TestSupport", "Probe", "ServiceScreen",
            ]),
    ] + urlSessionTargets,
    swiftLanguageModes: [.v6]
)

// STREAMS_TOOLS=1 offers the project's own tools, the package in Tests/Tools, what they share with the tests.
if Context.environment["STREAMS_TOOLS"] != nil {
    for name in ["OperatorCatalogue", "TestSupport", "CLibcurl"] { package.products.append(.library(name: name, targets: [name])) }
}

// STREAMS_TARGETS names the only targets that are there: `.ci/only` sets it.
if let targets = Context.environment["STREAMS_TARGETS"]?.split(separator: " ").map(String.init) {
    package.targets.removeAll { !targets.contains($0.name) }
    package.products = []
}

// STREAMS_WHOLE_MODULES compiles each module at once, which takes a third less time from nothing, and more after a change.
if Context.environment["STREAMS_WHOLE_MODULES"] != nil {
    let whole = SwiftSetting.unsafeFlags(["-whole-module-optimization", "-num-threads", "2", "-disable-batch-mode"])
    for target in package.targets { target.swiftSettings = (target.swiftSettings ?? []) + [whole] }
}
