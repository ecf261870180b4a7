import Foundation
import SystemSources

/// Runs a script.
func shell(_ script: String) -> Command {
    Command("/bin/sh", "-c", script)
}

extension Command {
    func `in`(_ folder: URL) -> Command {
        var command = self
        command.directory = folder
        return command
    }
}
