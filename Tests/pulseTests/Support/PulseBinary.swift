import Foundation

/// The program that was built along with the tests.
enum PulseBinary {
    static let path: String = {
        let executable = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        var folder = executable.deletingLastPathComponent()
        // On Apple's systems the test runner lives elsewhere and the test bundle lies in the folder of the products.
        if let bundle = Bundle.allBundles.first(where: { $0.bundlePath.hasSuffix(".xctest") }) {
            folder = bundle.bundleURL.deletingLastPathComponent()
        }
        return folder.appending(path: "pulse").path
    }()
}
