// swift-tools-version: 6.2
import PackageDescription

// On Linux FoundationNetworking has a library of its own, which a statically linked program cannot have without libcurl's development
// package: so the transport through URLSession, the default of Apple's systems, is a module of its own there.
#if os(Linux)
    let urlSession = "Transport/URLSession"
    let urlSessionProducts: [Product] = [.library(name: "NetNodesURLSession", targets: ["NetNodesURLSession"])]
    let urlSessionTargets: [Target] = [
        .target(name: "NetNodesURLSession", dependencies: ["NetNodes"], path: "Sources/NetNodes/\(urlSession)")
    ]
    let excludedFromNetNodes = [urlSession]
    let netNodesTestDependencies: [Target.Dependency] = ["NetNodesURLSession"]
#else
    let urlSessionProducts: [Product] = []
    let urlSessionTargets: [Target] = []
    let excludedFromNetNodes: [String] = []
    let netNodesTestDependencies: [Target.Dependency] = []
#endif

let package = Package(
    name: "swift-streams",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Schedulers", targets: ["Schedulers"]),
        .library(name: "Streams", targets: ["Streams"]),
        .library(name: "NetNodes", targets: ["NetNodes"]),
        .library(name: "NATSNodes", targets: ["NATSNodes"]),
        .library(name: "SystemSources", targets: ["SystemSources"]),
        .library(name: "StreamsTesting", targets: ["StreamsTesting"]),
        .library(name: "LoopbackServer", targets: ["LoopbackServer"]),
        .library(name: "WebSocketFrames", targets: ["WebSocketFrames"]),
        .library(name: "TerminalViews", targets: ["TerminalViews"]),
        .executable(name: "pulse", targets: ["pulse"]),
    ] + urlSessionProducts,
    targets: [
        .target(name: "CDescriptors"),
        .target(name: "Schedulers", dependencies: ["CDescriptors"]),
        .target(name: "Streams", dependencies: ["Schedulers"]),
        .target(
            name: "CLibcurl",
            linkerSettings: [
                .linkedLibrary(":libcurl.so.4", .when(platforms: [.linux])),
                .linkedLibrary("curl", .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS])),
            ]
        ),
        .target(name: "CSocketPolling"),
        .target(name: "SocketPolling", dependencies: ["CSocketPolling"]),
        .target(name: "WebSocketFrames"),
        .target(
            name: "NetNodes", dependencies: ["Streams", "CLibcurl", "SocketPolling", "WebSocketFrames"], exclude: excludedFromNetNodes),
        .target(name: "NATSNodes", dependencies: ["NetNodes"]),
        .target(name: "CSystemSources"),
        .target(name: "SystemSources", dependencies: ["Streams", "CSystemSources"]),
        .target(name: "StreamsTesting", dependencies: ["Streams"]),
        .target(name: "LoopbackServer", dependencies: ["Streams", "SocketPolling", "WebSocketFrames"]),
        .target(name: "TerminalViews", dependencies: ["Streams"]),
        .executableTarget(name: "pulse", dependencies: ["NATSNodes", "NetNodes", "LoopbackServer", "SystemSources", "TerminalViews"]),
        .target(name: "CAllocationCounter", path: "Tests/Tools/CAllocationCounter"),
        .executableTarget(
            name: "StreamsBenchmarks", dependencies: ["Streams", "CAllocationCounter"], path: "Tests/Tools/StreamsBenchmarks"),
        .executableTarget(name: "FirstScreen", dependencies: ["TerminalViews"], path: "Docs/Examples/FirstScreen"),
        .executableTarget(name: "ServiceScreen", dependencies: ["NetNodes", "TerminalViews"], path: "Docs/Examples/ServiceScreen"),
        .executableTarget(
            name: "GettingStarted", dependencies: ["NetNodes", "LoopbackServer", "TerminalViews"], path: "Docs/Examples/GettingStarted"),
        .executableTarget(name: "QuoteBus", dependencies: ["NATSNodes"], path: "Docs/Examples/QuoteBus"),
        .target(
            name: "PageExamples", dependencies: ["NATSNodes", "LoopbackServer", "SystemSources", "TerminalViews"],
            path: "Docs/Examples/Pages"),
        .executableTarget(name: "ExampleService", dependencies: ["SystemSources"], path: "Docs/Examples/ExampleService"),
        .executableTarget(name: "InboxService", dependencies: ["SystemSources"], path: "Docs/Examples/InboxService", exclude: ["check"]),
        .executableTarget(
            name: "NetBenchmarks", dependencies: ["NetNodes", "LoopbackServer", "CLibcurl"], path: "Tests/Tools/NetBenchmarks"),
        .target(name: "WireClient", path: "Tests/Tools/WireClient"),
        .target(name: "FuzzCorpora", path: "Tests/Tools/FuzzCorpora", exclude: ["Inputs"]),
        .target(name: "OpenDescriptors", path: "Tests/Tools/OpenDescriptors"),
        .executableTarget(
            name: "DescriptorProbe", dependencies: ["NATSNodes", "LoopbackServer", "SystemSources", "TerminalViews", "OpenDescriptors"],
            path: "Tests/Tools/DescriptorProbe"),
        .executableTarget(
            name: "MessagingProof", dependencies: ["NATSServers", "WebSocketFrames"], path: "Tests/Tools/MessagingProof"),
        .target(name: "NATSServers", dependencies: ["NATSNodes", "ReservedPorts"], path: "Tests/Tools/NATSServers"),
        .target(name: "ReservedPorts", path: "Tests/Tools/ReservedPorts"),
        .target(name: "RunningServers", dependencies: ["LoopbackServer", "Streams"], path: "Tests/Tools/RunningServers"),
        .executableTarget(
            name: "PulseFigures", dependencies: ["TerminalEmulation", "LoopbackServer"], path: "Tests/Tools/PulseFigures"),
        .target(name: "TerminalEmulation", dependencies: ["TerminalViews"], path: "Tests/Tools/TerminalEmulation"),
        .target(name: "OperatorCatalogue", dependencies: ["StreamsTesting"], path: "Tests/Tools/OperatorCatalogue"),
        .executableTarget(
            name: "OperatorBook", dependencies: ["OperatorCatalogue", "CAllocationCounter"], path: "Tests/Tools/OperatorBook"),
        .executableTarget(name: "StreamsFuzzer", dependencies: ["OperatorCatalogue"], path: "Tests/Tools/StreamsFuzzer"),
        .executableTarget(name: "MainLoopProbe", dependencies: ["Streams"], path: "Tests/Tools/MainLoopProbe"),
        .testTarget(name: "SchedulersTests", dependencies: ["Schedulers", "StreamsTesting", "MainLoopProbe", "OpenDescriptors"]),
        .testTarget(name: "StreamsTests", dependencies: ["Streams", "OperatorCatalogue", "StreamsTesting"]),
        .testTarget(name: "StreamsTestingTests", dependencies: ["StreamsTesting"]),
        .testTarget(
            name: "NetNodesTests",
            dependencies: [
                "NetNodes", "LoopbackServer", "WebSocketFrames", "StreamsTesting", "FuzzCorpora", "OpenDescriptors", "ReservedPorts",
                "RunningServers",
            ]
                + netNodesTestDependencies),
        .testTarget(
            name: "NATSNodesTests",
            dependencies: ["NATSNodes", "NATSServers", "LoopbackServer", "StreamsTesting", "FuzzCorpora", "DescriptorProbe"]),
        .testTarget(name: "ExampleServiceTests", dependencies: ["ExampleService", "StreamsTesting"]),
        .testTarget(name: "GettingStartedTests", dependencies: ["GettingStarted", "StreamsTesting"]),
        .testTarget(name: "SystemSourcesTests", dependencies: ["SystemSources", "StreamsTesting", "OpenDescriptors"]),
        .testTarget(
            name: "LoopbackServerTests",
            dependencies: ["LoopbackServer", "WebSocketFrames", "StreamsTesting", "WireClient", "FuzzCorpora", "RunningServers"]),
        .testTarget(
            name: "TerminalViewsTests", dependencies: ["TerminalViews", "TerminalEmulation", "StreamsTesting", "OpenDescriptors"]),
        .testTarget(name: "StreamsFuzzerTests", dependencies: ["StreamsFuzzer", "StreamsTesting"]),
        .testTarget(
            name: "pulseTests",
            dependencies: ["pulse", "NATSServers", "RunningServers", "TerminalEmulation", "StreamsTesting", "WireClient"]),
    ] + urlSessionTargets,
    swiftLanguageModes: [.v6]
)
