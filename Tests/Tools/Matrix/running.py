"""Compiles and runs programs, and finds the snippets that fail."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
from dataclasses import dataclass, field, replace

from flags import Library, flag_sets
from program import Program, contexts
from snippets import Snippet

COMPILE_LIMIT, RUN_LIMIT = 600, 300  # seconds, after which something hangs


@dataclass
class Failure:
    snippet: Snippet
    shape: str
    what: str


@dataclass
class Outcome:
    """What running a program found. `checked` has the snippet and the shape of each run, `checks` counts the comparisons."""
    failures: list[Failure] = field(default_factory=list)
    checked: list[tuple[Snippet, str]] = field(default_factory=list)
    checks: int = 0


class Stopped(Exception):
    """The time is over: what was running is ended."""


@dataclass
class Compiler:
    """Compiles programs in folders of their own, and keeps the compilations that failed out of those that run."""
    folder: pathlib.Path
    libraries: dict[str, Library]

    def __post_init__(self):
        self.running, self.is_stopped = set(), False

    def commands(self, program, place, sources, alone=False):
        """The commands that make the executable `program` in `place`, of a library and of a client."""
        flags = flag_sets[program.flags]
        library = self.libraries[flags.library]
        options = ["-swift-version", flags.language, "-suppress-warnings", *flags.options, *library.includes()]
        parts = ["-parse-as-library"] if alone and program.context != "top level" else []
        objects = place / "objects.txt"
        objects.write_text("\n".join(f'"{file}"' for file in library.objects()))
        link = [f"@{objects}", "-o", place / "program"]
        if not contexts[program.context].is_library:
            return [["swiftc", *options, *parts, "-module-name", "Client", *sources, *link]]
        evolving = ["-enable-library-evolution"] if program.context == "evolving library" else []
        of_library = [source for source in sources if "Library" in str(source.relative_to(place))]
        of_client = [source for source in sources if source not in of_library]
        made = ["-parse-as-library", "-module-name", "Library", "-emit-module", "-emit-module-path", place / "Library.swiftmodule", "-emit-library", "-static",
                "-o", place / "libLibrary.a"]
        return [["swiftc", *options, *evolving, *made, *of_library],
                ["swiftc", *options, *parts, "-module-name", "Client", "-I", place, *of_client, place / "libLibrary.a", *link]]

    def compile(self, program, place, alone=False):
        """What the compiler says if it fails; the executable is in `place`."""
        shutil.rmtree(place, ignore_errors=True)
        sources = []
        for name, text in (program.alone() if alone else program.files()).items():
            sources.append(place / name)
            sources[-1].parent.mkdir(parents=True, exist_ok=True)
            sources[-1].write_text(text)
        for command in self.commands(program, place, sources, alone):
            status, output = self.run(command, place, COMPILE_LIMIT)
            if status:
                return output or f"ended with {status}"
        return None

    def run(self, command, place, limit):
        """The status and the output of a command, which is ended with all that it started when it takes too long."""
        if self.is_stopped:
            raise Stopped
        environment = os.environ | {"TSAN_OPTIONS": "halt_on_error=1 exitcode=66", "ASAN_OPTIONS": "detect_leaks=0"}
        with subprocess.Popen(list(map(str, command)), cwd=place, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                              start_new_session=True) as process:
            self.running.add(process)
            try:
                output, _ = process.communicate(timeout=limit)
                if self.is_stopped:
                    raise Stopped
                return process.returncode, output
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return -1, process.communicate()[0] + f"\nhangs: it has not ended after {limit} s"
            finally:
                self.running.discard(process)

    def stop(self):
        self.is_stopped = True
        for process in list(self.running):
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    # Finding what fails.

    def check(self, program, place):
        """Runs all snippets of a program; those that do not compile are found and left out."""
        outcome = Outcome()
        while complaint := self.compile(program, place):
            broken = self.broken(program, place, complaint)
            if not broken:
                outcome.failures.append(Failure(program.snippets[0], "", f"does not compile with {len(program.snippets)} snippets: {excerpt(complaint)}"))
                return outcome
            outcome.failures += [Failure(snippet, "", f"does not compile: {said}") for snippet, said in broken.items()]
            outcome.checked += [(snippet, snippet.shape.name if snippet.shape else "") for snippet in broken]
            outcome.checks += len(broken)
            program = replace(program, snippets=tuple(snippet for snippet in program.snippets if snippet not in broken))
            if not program.snippets:
                return outcome
        self.execute(program, place, outcome)
        return outcome

    def broken(self, program, place, complaint):
        """The snippets that do not compile, with what the compiler says: those that its errors name, or by halves."""
        named = self.named(program, place, complaint)
        if named or len(program.snippets) == 1:
            return named or {program.snippets[0]: excerpt(complaint)}
        middle, found = len(program.snippets) // 2, {}
        for half in (program.snippets[:middle], program.snippets[middle:]):
            part = replace(program, snippets=half)
            said = self.compile(part, place)
            if said:
                found |= self.broken(part, place, said)
        return found

    def named(self, program, place, complaint):
        """The snippets in whose lines there are errors."""
        found = {}
        for file, line, said in re.findall(r"^(\S+\.swift):(\d+):\d+: error: (.*)$", complaint, re.MULTILINE):
            before = "\n".join(pathlib.Path(place, file).read_text().splitlines()[: int(line)])
            numbers = re.findall(r"func snippet(\d+)\(|^if begin\((\d+),", before, re.MULTILINE)
            if numbers:
                found.setdefault(program.snippets[int(numbers[-1][0] or numbers[-1][1])], said)
        return found

    def execute(self, program, place, outcome):
        """Runs a program, and again after a snippet that ended the process."""
        done = 0
        while True:
            status, output = self.run([place / "program", str(done)], place, RUN_LIMIT)
            last = None
            for line in output.splitlines():
                if run := re.match(r"RUN (\d+) (\d+) (.*)", line):
                    done, last = int(run[1]), (program.snippets[int(run[2])], run[3])
                    outcome.checked.append(last)
                elif last and re.match(r"WRONG|LEAK", line):
                    outcome.failures.append(Failure(*last, line))
                elif run := re.match(r"DONE (\d+)", line):
                    outcome.checks += int(run[1])
                    return
            if last is None:
                outcome.failures.append(Failure(program.snippets[0], "", f"does not start: {excerpt(output)}"))
                return
            outcome.checks += 1
            outcome.failures.append(Failure(*last, f"ends the process with {status}: {excerpt(output[output.rfind('RUN '):])}"))

    def alone(self, failure, seed, place):
        """Whether the snippet fails in a program of its own, and the text and the commands of that."""
        program = Program(failure.snippet.context, failure.snippet.flags, (failure.snippet,), seed)
        complaint = self.compile(program, place, alone=True)
        outcome = Outcome()
        if not complaint:
            self.execute(program, place, outcome)
        sources = [place / name for name in program.alone()]
        texts = {source.name: source.read_text() for source in sources}
        return bool(complaint or outcome.failures), texts, self.commands(program, place, sources, alone=True)


def excerpt(output):
    """The lines of an output that say what is wrong."""
    telling = [line for line in output.splitlines() if re.search(r"error:|Fatal|crashed|SUMMARY|WARNING: Thread|Assertion|hangs|RELEASED|^\d+\.\tWhile", line)]
    return " / ".join((telling or output.splitlines()[-3:])[:6])[:900]
