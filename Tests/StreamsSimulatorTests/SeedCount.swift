import Foundation

/// The number of runs of a program that must hold under every seed: as many as `STREAMS_SEEDS` says.
let seedCount = ProcessInfo.processInfo.environment["STREAMS_SEEDS"].flatMap { Int($0) } ?? 25
