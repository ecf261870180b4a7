/// The completion script for bash.
enum BashCompletion {
    static var script: String {
        """
        # Completion of pulse for bash: source <(pulse completion bash), or save this as
        # ~/.local/share/bash-completion/completions/pulse
        _pulse() {
            local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
            local flags= words= kind= IFS=$' \\t\\n'
            COMPREPLY=()
            if ((COMP_CWORD == 1)); then
                COMPREPLY=($(compgen -W '\(topLevel)' -- "$current"))
                return
            fi
            # Bash splits --flag=value at the sign.
            if [[ $current == = ]]; then current=
            elif [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}
            fi
            case $command in
        \(Command.Topic.allCases.map(command).joined(separator: "\n"))
            help) words='\(Command.Topic.allCases.map(\.rawValue).joined(separator: " "))' ;;
            *) return ;;
            esac
            case "$command $previous" in
        \(Command.Topic.allCases.flatMap(values).joined(separator: "\n"))
            esac
            case $kind in
            text) return ;;
            files) compopt -o filenames 2>/dev/null; IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$current")); return ;;
            at)
                [[ $current == @* ]] || return
                compopt -o filenames 2>/dev/null
                IFS=$'\\n'
                COMPREPLY=($(compgen -P @ -f -- "${current#@}"))
                return
                ;;
            words) COMPREPLY=($(compgen -W "$words" -- "$current")); return ;;
            esac
            if [[ $current == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$current"))
            elif [[ $words ]]; then COMPREPLY=($(compgen -W "$words" -- "$current"))
            fi
        }
        complete -F _pulse pulse

        """
    }

    private static var topLevel: String {
        (Command.Topic.allCases.map(\.rawValue) + ["help", "--help", "--version"]).joined(separator: " ")
    }

    private static func command(_ topic: Command.Topic) -> String {
        let flags = topic.completedFlags.flatMap(\.names).joined(separator: " ")
        let words = topic.operands.isEmpty ? "" : "; words='\(topic.operands.joined(separator: " "))'"
        return "    \(topic.rawValue)) flags='\(flags)'\(words) ;;"
    }

    private static func values(_ topic: Command.Topic) -> [String] {
        topic.flags.filter { $0.value != nil }.map { flag in
            let pattern = flag.names.map { "'\(topic.rawValue) \($0)'" }.joined(separator: " | ")
            let action =
                switch flag.completion {
                case .text: "kind=text"
                case .files: "kind=files"
                case .filesAfterAt: "kind=at"
                case .words(let words): "kind=words words='\(words.joined(separator: " "))'"
                }
            return "    \(pattern)) \(action) ;;"
        }
    }
}
