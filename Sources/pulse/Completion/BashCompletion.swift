/// The completion script for bash.
enum BashCompletion {
    static var script: String {
        """
        # Completion of pulse for bash: source <(pulse completion bash), or save this as
        # ~/.local/share/bash-completion/completions/pulse
        _pulse() {
            local current=${COMP_WORDS[COMP_CWORD]} place=$((COMP_CWORD - 1)) previous= command=${COMP_WORDS[1]}
            local flags= words= kind= name= sign= IFS=$' \\t\\n'
            COMPREPLY=()
            if ((COMP_CWORD == 1)); then
                COMPREPLY=($(compgen -W '\(topLevel)' -- "$current"))
                return
            fi
            # Bash splits --flag=value and NAME=@file at the signs, and replaces @ with the file.
            if [[ $current == [=@] || $current == =@ ]]; then sign=$current current=
            elif [[ $current == @* ]]; then sign=@ current=${current#@}
            elif [[ ${COMP_WORDS[place]} == [=@] || ${COMP_WORDS[place]} == =@ ]]; then sign=${COMP_WORDS[place--]}
            fi
            if [[ $sign == *@ && ${COMP_WORDS[place]} != -* ]]; then ((place--)); fi
            previous=${COMP_WORDS[place]}
            case $command in
        \(Subcommand.all.map(command).joined(separator: "\n"))
            *) return ;;
            esac
            case "$command $previous" in
        \(Subcommand.all.flatMap(values).joined(separator: "\n"))
            esac
            case $kind in
            text) return ;;
            # What readline does by itself, whatever is in a name.
            files) compopt -o default; return ;;
            at)
                [[ $sign == *@ ]] || return
                compopt -o filenames
                current=${current//\\\\/}
                for name in "${current/#~\\//$HOME/}"*; do
                    if [[ -e $name ]]; then COMPREPLY+=("@$name"); fi
                done
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
        (Subcommand.all.map(\.name) + ["--help", "--version"]).joined(separator: " ")
    }

    private static func command(_ subcommand: Subcommand) -> String {
        let flags = subcommand.completedFlags.flatMap(\.names).joined(separator: " ")
        let offered = subcommand.completedWords.joined(separator: " ")
        let words = offered.isEmpty ? "" : "; words='\(offered)'"
        return "    \(subcommand.name)) flags='\(flags)'\(words) ;;"
    }

    private static func values(_ subcommand: Subcommand) -> [String] {
        subcommand.flags.filter { $0.value != nil }.map { flag in
            let pattern = flag.names.map { "'\(subcommand.name) \($0)'" }.joined(separator: " | ")
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
