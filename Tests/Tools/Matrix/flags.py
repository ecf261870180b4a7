"""The sets of flags that clients are compiled with, and the builds of the library that they need."""

import json
import pathlib
import subprocess
import sys
from dataclasses import dataclass

root = pathlib.Path(__file__).resolve().parents[3]
targets = ("CStreamsSystem", "Schedulers", "Streams", "CInspector", "StreamsInspector", "StreamsTesting")


@dataclass(frozen=True)
class Library:
    """A build of the library: the folder of its products, and what `swift build` is told."""
    folder: pathlib.Path
    configuration: str
    options: tuple = ()
    package: pathlib.Path = root

    @property
    def products(self):
        return self.folder / self.configuration

    @property
    def is_built(self):
        return (self.products / "Modules/StreamsTesting.swiftmodule").exists()

    def build(self):
        command = ["swift", "build", "--package-path", self.package, "--scratch-path", self.folder, "-c", self.configuration]
        command += ["--target", "StreamsTesting", *self.options]
        print(f"Builds the library: {' '.join(map(str, command))}", flush=True)
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"The library does not build:\n{(done.stdout + done.stderr)[-4000:]}")

    def includes(self):
        return ["-I", self.products / "Modules", *(option for target in targets if target.startswith("C") for option in ("-I", self.products / f"{target}.build"))]

    def objects(self):
        """The object files. Those of files that are gone stay in the folder: the map of the build has the others."""
        for target in targets:
            folder = self.products / f"{target}.build"
            known = folder / "output-file-map.json"
            if not known.exists():
                yield from folder.rglob("*.o")
                continue
            files = {pathlib.Path(entry["object"]) for entry in json.loads(known.read_text()).values() if "object" in entry}
            yield from (file for file in sorted(files) if file.exists())


THREAD = ("--sanitize=thread", "-Xswiftc", "-DTHREAD_SANITIZER", "-Xswiftc", "-whole-module-optimization", "-Xswiftc", "-num-threads", "-Xswiftc", "2")
libraries = {
    "release": Library(root / ".build", "release"),
    "debug": Library(root / ".build", "debug"),
    "address": Library(root / ".build/address-sanitizer", "release", ("--sanitize=address",)),
    # As .ci/sanitize builds it, in its folder.
    "thread": Library(root / ".build/thread-sanitizer", "debug", THREAD),
}


@dataclass(frozen=True)
class Flags:
    options: tuple
    library: str = "release"
    language: str = "6"


WHOLE = ("-O", "-whole-module-optimization")
flag_sets = {
    "-O": Flags(WHOLE),
    "-Onone": Flags(("-Onone",)),
    "-Osize": Flags(("-Osize", "-whole-module-optimization")),
    "-Ounchecked": Flags(("-Ounchecked", "-whole-module-optimization")),
    "file by file": Flags(("-O", "-no-whole-module-optimization")),
    "exclusivity": Flags((*WHOLE, "-enforce-exclusivity=checked")),
    "language mode 5": Flags(WHOLE, language="5"),
    "debug": Flags(("-Onone",), library="debug"),
    "debug library": Flags(WHOLE, library="debug"),
    "address": Flags((*WHOLE, "-sanitize=address"), library="address"),
    "thread": Flags((*WHOLE, "-sanitize=thread"), library="thread"),
}
