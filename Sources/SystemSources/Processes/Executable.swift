import Foundation

extension Command {
    /// Returns the path of the program, after checks whose results the system's own error would not tell.
    func executable() throws -> String {
        let texts = [program] + arguments + environmentLines()
        if let text = texts.first(where: { $0.utf8.contains(0) }) { throw CommandError.containsNull(text) }
        let directory = directory?.path(percentEncoded: false)
        if let directory, !Self.isDirectory(directory) { throw CommandError.directoryNotFound(path: directory) }
        guard !program.isEmpty else { throw CommandError.notFound(program: program) }
        guard !program.contains("/") else { return program }
        return try search()
    }

    /// Looks the program up as a shell does, in the `PATH` of the child.
    private func search() throws -> String {
        let path = (environment ?? ProcessInfo.processInfo.environment)["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        var error = CommandError.notFound(program: program)
        for folder in path.split(separator: ":") {
            let candidate = "\(folder)/\(program)"
            guard !Self.isDirectory(candidate) else { continue }
            if access(candidate, X_OK) == 0 { return candidate }
            if errno == EACCES { error = .notPermitted(program: program) }
        }
        throw error
    }

    func environmentLines() -> [String] {
        (environment ?? ProcessInfo.processInfo.environment).map { "\($0)=\($1)" }
    }

    /// Returns the error for a start that failed with the number `code`.
    func startError(_ code: Int32) -> any Error {
        switch code {
        case ENOENT, ENOTDIR: CommandError.notFound(program: program)
        case EACCES, EPERM: CommandError.notPermitted(program: program)
        case ENOEXEC: CommandError.notExecutable(program: program)
        case E2BIG: CommandError.argumentsTooLong
        default: SystemSourceError("posix_spawn", path: program, code: code)
        }
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
