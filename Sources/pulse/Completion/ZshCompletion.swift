/// The completion script for zsh.
enum ZshCompletion {
    static var script: String {
        """
        #compdef pulse
        # Completion of pulse for zsh: save this as _pulse in a folder of $fpath, or source <(pulse completion zsh) after compinit.
        _pulse() {
            local context state state_descr line
            typeset -A opt_args
            _arguments -C '(- *)'{-h,--help}'[show the help]' '(- *)--version[show the version]' '1: :->command' '*:: :->arguments'
            case $state in
            command)
                local -a commands
                commands=(
        \(Subcommand.all.map { "            \("\($0.name):\($0.summary)".quotedForShell)" }.joined(separator: "\n"))
                )
                _describe command commands
                ;;
            arguments)
                case $words[1] in
        \(Subcommand.all.map(command).joined(separator: "\n"))
                esac
                ;;
            esac
        }
        if [[ ${funcstack[1]} == _pulse ]]; then _pulse "$@"; else compdef _pulse pulse; fi

        """
    }

    private static func command(_ subcommand: Subcommand) -> String {
        let lines = subcommand.completedFlags.map(specification) + [operands(subcommand)].compactMap(\.self)
        return "        \(subcommand.name))\n            _arguments -S \\\n"
            + lines.map { "                \($0)" }.joined(separator: " \\\n") + "\n            ;;"
    }

    private static func operands(_ subcommand: Subcommand) -> String? {
        switch subcommand.completion {
        case .none: nil
        case .urls: "'*:URL:_urls'"
        case .files: "'1:file:_files'"
        case .words, .subcommands: "'1:word:(\(subcommand.completedWords.joined(separator: " ")))'"
        }
    }

    /// Returns `'(-X --method)'{-X,--method}'[help]:METHOD:(GET POST)'`; a flag that may be repeated excludes nothing.
    private static func specification(_ flag: Flag) -> String {
        let text = "[\(escaped(flag.help))]" + (flag.value.map { ":\(escaped($0)):\(action(flag.completion))" } ?? "")
        let names = flag.value == nil ? flag.names : flag.names.map { $0.hasPrefix("--") ? "\($0)=" : "\($0)+" }
        guard names.count == 2 else { return "'*'\(names[0])\(text.quotedForShell)" }
        return "'*'{\(names.joined(separator: ","))}\(text.quotedForShell)"
    }

    private static func action(_ completion: Flag.Completion) -> String {
        switch completion {
        case .text: " "
        case .files: "_files"
        case .filesAfterAt: "{compset -P @ && _files}"
        case .words(let words): "(\(words.joined(separator: " ")))"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}
