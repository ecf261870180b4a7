// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "swift-streams",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Schedulers", targets: ["Schedulers"]),
        .library(name: "Streams", targets: ["Streams"]),
        .library(name: "NetNodes", targets: ["NetNodes"]),
        .library(name: "StreamsTesting", targets: ["StreamsTesting"]),
        .library(name: "LoopbackServer", targets: ["LoopbackServer"]),
        .library(name: "TerminalViews", targets: ["TerminalViews"]),
        .executable(name: "pulse", targets: ["pulse"]),
    ],
    targets: [
        .target(name: "Schedulers"),
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
        .target(name: "NetNodes", dependencies: ["Streams", "CLibcurl", "SocketPolling"]),
        .target(name: "StreamsTesting", dependencies: ["Streams"]),
        .target(name: "LoopbackServer", dependencies: ["Streams", "SocketPolling"]),
        .target(name: "TerminalViews", dependencies: ["Streams"]),
        .executableTarget(name: "pulse", dependencies: ["NetNodes", "LoopbackServer", "TerminalViews"]),
        .target(name: "CAllocationCounter"),
        .executableTarget(name: "StreamsBenchmarks", dependencies: ["Streams", "CAllocationCounter"]),
        .executableTarget(name: "ExampleService", dependencies: ["Streams"]),
        .executableTarget(name: "NetBenchmarks", dependencies: ["NetNodes", "LoopbackServer", "CLibcurl"]),
        .executableTarget(name: "MarbleDiagrams", dependencies: ["StreamsTesting"]),
        .executableTarget(name: "StreamsFuzzer", dependencies: ["StreamsTesting"]),
        .executableTarget(name: "MainLoopProbe", dependencies: ["Streams"], path: "Tests/MainLoopProbe"),
        .testTarget(name: "SchedulersTests", dependencies: ["Schedulers", "StreamsTesting", "MainLoopProbe"]),
        .testTarget(name: "StreamsTests", dependencies: ["Streams", "StreamsTesting"]),
        .testTarget(name: "StreamsTestingTests", dependencies: ["StreamsTesting"]),
        .testTarget(name: "NetNodesTests", dependencies: ["NetNodes", "LoopbackServer", "StreamsTesting"]),
        .testTarget(name: "ExampleServiceTests", dependencies: ["ExampleService", "StreamsTesting"]),
        .testTarget(name: "LoopbackServerTests", dependencies: ["LoopbackServer", "StreamsTesting"]),
        .testTarget(name: "TerminalViewsTests", dependencies: ["TerminalViews", "StreamsTesting"]),
        .testTarget(name: "StreamsFuzzerTests", dependencies: ["StreamsFuzzer", "StreamsTesting"]),
        .testTarget(name: "pulseTests", dependencies: ["pulse", "StreamsTesting"]),
    ],
    swiftLanguageModes: [.v6]
)
