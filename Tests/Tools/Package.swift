// swift-tools-version: 6.2
import PackageDescription

// The project's own tools: benchmarks, fuzzer, proofs, the book of operators. They are a package of their own, so that nobody who builds or
// tests the library builds them too. STREAMS_TOOLS=1, which `Tests/Tools/run` sets, offers them what they share with the tests.

func streams(_ product: String) -> Target.Dependency { .product(name: product, package: "swift-streams") }

// STREAMS_TRAITS=Inspector builds the tools with the inspector in the library, as `swift build --traits Inspector` builds that.
let traits = (Context.environment["STREAMS_TRAITS"] ?? "").split(separator: " ").map { Package.Dependency.Trait(name: String($0)) }

let package = Package(
    name: "tools",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-streams", path: "../..", traits: Set(traits))],
    targets: [
        .target(name: "CAllocationCounter", path: "CAllocationCounter"),
        .executableTarget(
            name: "StreamsBenchmarks", dependencies: [streams("Streams"), "CAllocationCounter"], path: "StreamsBenchmarks"),
        .executableTarget(
            name: "NetBenchmarks", dependencies: [streams("NetNodes"), streams("LoopbackServer"), streams("CLibcurl")],
            path: "NetBenchmarks"),
        .executableTarget(
            name: "MessagingProof", dependencies: [streams("NATSNodes"), streams("NetNodes"), streams("TestSupport")],
            path: "MessagingProof"),
        .executableTarget(
            name: "FlowProof", dependencies: [streams("SystemSources"), streams("NetNodes"), streams("LoopbackServer")], path: "FlowProof"),
        .executableTarget(
            name: "PulseFigures", dependencies: [streams("LoopbackServer"), streams("TerminalViews"), streams("TestSupport")],
            path: "PulseFigures"),
        .executableTarget(
            name: "OperatorBook", dependencies: [streams("OperatorCatalogue"), streams("StreamsTesting"), "CAllocationCounter"],
            path: "OperatorBook"),
        .executableTarget(
            name: "Sweep",
            dependencies: [streams("Streams"), streams("OperatorCatalogue"), streams("StreamsTesting"), streams("NetNodes")], path: "Sweep"),
        .executableTarget(
            name: "StreamsFuzzer", dependencies: [streams("OperatorCatalogue"), streams("StreamsTesting")], path: "StreamsFuzzer",
            exclude: ["README.md"]),
        .testTarget(
            name: "StreamsFuzzerTests", dependencies: ["StreamsFuzzer", streams("OperatorCatalogue"), streams("StreamsTesting")],
            path: "StreamsFuzzerTests"),
        // The blocks of Swift on the pages in Docs.
        .target(
            name: "PageExamples",
            dependencies: [
                streams("Streams"), streams("NATSNodes"), streams("NetNodes"), streams("NodeKit"), streams("LoopbackServer"),
                streams("SystemSources"), streams("TerminalViews"),
            ],
            path: "PageExamples"),
    ],
    swiftLanguageModes: [.v6]
)
