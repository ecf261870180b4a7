/// The flags of `watch` and `view`, and those of every screen.
enum WatchFlags {
    static let ofWatch =
        [
            Flag("--interval", short: "-i", value: "SECONDS", help: "time between two checks of an endpoint (5)"),
            Flag("--timeout", short: "-t", value: "SECONDS", help: "the timeout of a request (10)"),
            Flag("--once", help: "check each endpoint once, print one line each; exit code 1 if one is down"),
            json,
            Flag(
                "--config", short: "-c", value: "FILE", help: "endpoints, groups and expectations as JSON; SIGHUP reads it again",
                completion: .files),
            Flag("--record", value: "FILE", help: "append every event to a file of JSON lines", completion: .files),
            Flag("--replay", value: "FILE", help: "show a recording instead of endpoints", completion: .files),
            Flag("--speed", value: "NUMBER", help: "how many times as fast a recording is shown (1)"),
            Flag("--publish", value: "ADDRESS", help: "publish every check to nats://HOST:PORT/SUBJECT, for pulse view"),
            Flag("--export", value: "FILE", help: "write the statistics into FILE.json or FILE.csv at the end", completion: .files),
            Flag("--bell", help: "ring the terminal's bell when an endpoint goes down"),
            Flag(
                "--on-change", value: "COMMAND",
                help: "run a shell command when one goes down or comes up, with PULSE_NAME, PULSE_STATE ..."),
            Flag("--alerts", value: "FILE", help: "append each such change to a file of JSON lines", completion: .files),
        ] + ofScreens

    static let ofView = [json] + ofScreens

    static let ofScreens = [
        Flag("--theme", value: "NAME", help: "light, dark, or auto: what the terminal tells (auto)"),
        Flag("--no-mouse", help: "leave the mouse to the terminal"),
    ]

    private static let json = Flag("--json", help: "one JSON object per line instead of text")
}
