"""What .ci/api and .ci/docc know of the package: its libraries, and the symbol graphs of the built modules."""

import json
import os
import pathlib
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent


def libraries():
    """The libraries that are there for users, also where only some targets are to be built."""
    environment = {name: value for name, value in os.environ.items() if name not in ("STREAMS_TARGETS", "STREAMS_TOOLS")}
    products = json.loads(run("swift", "package", "--package-path", root, "dump-package", environment=environment))["products"]
    return [product["name"] for product in products if "library" in product["type"]]


def extract(library, modules, target, folder, *options):
    """Writes the symbol graphs of one library into a folder, and returns them."""
    headers = [f"-I{map.parent}" for map in sorted(modules.parent.glob("*.build/module.modulemap"))]
    run(
        "swift", "symbolgraph-extract", "-module-name", library, "-target", target, f"-I{modules}", *headers,
        "-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", folder, *options,
    )
    return [json.loads(path.read_text()) for path in sorted(pathlib.Path(folder).glob("*.symbols.json"))]


def target():
    return json.loads(run("swift", "-print-target-info"))["target"]["unversionedTriple"]


def run(*command, environment=None):
    result = subprocess.run(command, capture_output=True, text=True, env=environment)
    if result.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stderr}{result.stdout}")
    return result.stdout
