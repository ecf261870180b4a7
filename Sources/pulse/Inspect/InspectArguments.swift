extension Command {
    static func inspect(_ words: ArraySlice<String>) throws -> Command {
        let reader = try ArgumentReader(words, command: "inspect", flags: Topic.inspect.flags)
        return reader.has("--help") ? .help(.inspect) : .inspect(try reader.inspectOptions())
    }
}

extension ArgumentReader {
    fileprivate func inspectOptions() throws -> InspectOptions {
        var options = InspectOptions()
        options.target = try inspectTarget()
        options.form = try inspectForm()
        if let interval = try duration("--interval", command: "inspect") { options.interval = interval }
        if let timeout = try duration("--timeout", command: "inspect") { options.timeout = timeout }
        options.condition = try value("--fail-on").map { try FailCondition(parsing: $0) }
        if let span = try duration("--over", command: "inspect") { options.span = span }
        options.isLight = try isLight()
        options.reportsMouse = !has("--no-mouse")
        guard options.form != .list || options.target == .only && options.condition == nil else {
            throw UsageError("pulse inspect: --list names processes: without PID, PATH and --fail-on")
        }
        guard value("--over") == nil || options.condition != nil else {
            throw UsageError("pulse inspect: --over is that of a --fail-on")
        }
        return options
    }

    private func inspectTarget() throws -> InspectOptions.Target {
        guard let operand = operands.first else { return .only }
        guard operands.count == 1 else {
            throw UsageError("pulse inspect: unexpected argument \(operands[1].quotedForMessage); see pulse help inspect")
        }
        guard !operand.isEmpty else { throw UsageError("pulse inspect: an empty argument; a PID or the path of a socket is expected") }
        guard operand.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return .socket(operand) }
        guard let process = Int32(operand), process > 0 else {
            throw UsageError("pulse inspect: \(operand.quotedForMessage) is not the number of a process")
        }
        return .process(process)
    }

    private func inspectForm() throws -> InspectOptions.Form {
        let given = InspectOptions.Form.allCases.filter { has($0.rawValue) }
        guard given.count <= 1 else {
            throw UsageError("pulse inspect: either \(given.map(\.rawValue).joined(separator: " or ")), not both")
        }
        // A condition is for scripts.
        return given.first ?? (has("--fail-on") ? .text : .screen)
    }
}
