import Foundation

/// The figures of Linux for a process.
struct ProcessFigures {
    private let folder: String

    init(_ number: String = "self") {
        folder = "/proc/\(number)"
    }

    /// Bytes of resident memory.
    var resident: Int {
        get throws { try value("VmRSS", in: "status") * 1_024 }
    }

    /// The most bytes of resident memory since `resetPeak()`.
    var peak: Int {
        get throws { try value("VmHWM", in: "status") * 1_024 }
    }

    func resetPeak() throws {
        try Data("5".utf8).write(to: URL(filePath: "\(folder)/clear_refs"))
    }

    /// Bytes that it has written.
    var bytesWritten: Int {
        get throws { try value("wchar", in: "io") }
    }

    /// `S` if it sleeps.
    var state: String {
        get throws { try statistics()[0] }
    }

    /// Seconds of processor time.
    var processorTime: Double {
        get throws {
            let fields = try statistics()
            return ((Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0)) / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
    }

    /// The fields behind the name.
    private func statistics() throws -> [String] {
        let line = try read("stat")
        let fields = line.split(separator: ") ").last?.split(separator: " ").map(String.init) ?? []
        try Unproven.unless(fields.count > 12, "the state of a process cannot be read")
        return fields
    }

    private func value(_ name: String, in file: String) throws -> Int {
        let line = try read(file).split(separator: "\n").first { $0.hasPrefix("\(name):") }
        guard let word = line?.split(whereSeparator: \.isWhitespace).dropFirst().first, let value = Int(word) else {
            throw Unproven("\(name) of a process cannot be read")
        }
        return value
    }

    private func read(_ file: String) throws -> String {
        try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
    }
}

extension Int {
    /// Bytes as megabytes, with one digit.
    var megabytes: String {
        String(format: "%.1f MB", Double(self) / 1_048_576)
    }
}
