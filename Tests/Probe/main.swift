import Foundation

// The program that tests watch from outside: its arguments say what it does, its output and exit code what happened.
let arguments = Array(CommandLine.arguments.dropFirst())
switch (arguments.first, arguments.count) {
case ("main-loop", 2): MainLoopProbe.run(arguments[1])
case ("descriptors", 4): try DescriptorProbe.run(arguments[1], limit: arguments[2], at: arguments[3])
case ("screen", 2): ScreenProbe.run(arguments[1])
case ("identifiers", 2): try IdentifierProbe.run(at: arguments[1])
case ("inspector", 2): try InspectorProbe.run(Int(arguments[1]) ?? 1)
case ("inspect", 3): InspectorProbe.ask(arguments[1], as: arguments[2])
default:
    let uses = "main-loop MODE | screen MODE | descriptors USE SPARE|memory ADDRESS | identifiers ADDRESS | inspector COUNT"
    print("usage: Probe \(uses) | inspect SOCKET USER")
    exit(64)
}
