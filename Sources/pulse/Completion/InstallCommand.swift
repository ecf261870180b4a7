import Foundation

/// A file of `pulse` at a place where another program of the system looks for it.
///
/// Source: [XDG Base Directory Specification](https://specifications.freedesktop.org/basedir-spec/latest/).
struct InstalledFile {
    private let variable: String
    private let folder: String
    private let path: String

    /// Returns a file below the user's data, by default `~/.local/share`.
    static func data(_ path: String) -> InstalledFile {
        InstalledFile(variable: "XDG_DATA_HOME", folder: ".local/share", path: path)
    }

    /// Returns a file below the user's configuration, by default `~/.config`.
    static func configuration(_ path: String) -> InstalledFile {
        InstalledFile(variable: "XDG_CONFIG_HOME", folder: ".config", path: path)
    }

    /// Returns the file; `nil` if the environment does not tell the home directory.
    func url(_ environment: [String: String]) -> URL? {
        if let chosen = environment[variable], chosen.hasPrefix("/") { return URL(filePath: chosen).appending(path: path) }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return URL(filePath: home).appending(path: "\(folder)/\(path)")
    }
}

/// `--install`: writes a text into a file, completely or not at all, and prints the file's name.
@MainActor
struct InstallCommand {
    let text: String
    let file: URL

    func run() -> Int32 {
        do {
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file, options: .atomic)
        } catch {
            Console.printError("pulse: \(file.path) could not be written: \(ErrorWording.sentence(error))")
            return ExitCode.outputFailure
        }
        return PageCommand(page: "\(file.path)\n").run()
    }
}
