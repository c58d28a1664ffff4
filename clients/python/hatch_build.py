"""Generates messages and methods from the contract when a wheel is built."""

import os
import runpy
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HEADER = '''"""The methods of the contract, by name: what `Client` calls."""

from stratagem import v1
from stratagem._method import Search, Streaming, Unary
'''


class ContractHook(BuildHookInterface[Any]):
    """Adds what is generated to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Generates into a temporary folder, which `finalize` removes."""
        here = Path(self.root)
        root = here / "root" if (here / "root").exists() else here.parents[1]
        self._folder = tempfile.TemporaryDirectory(prefix="stratagem-build-")
        out = Path(self._folder.name)
        plain = out / "plain"
        # Without the rules of fields, which need another package.
        runpy.run_path(str(root / "scripts/plain-contract"))["main"](plain)
        generate(plain, out)
        shutil.copy(root / "deploy/service-config.json", out / "stratagem")
        added = {path: path.relative_to(out) for path in (out / "stratagem").rglob("*.*")}
        licences = f"stratagem-{self.metadata.version}.dist-info/licenses"
        added |= {path: Path(licences, path.name) for path in root.glob("LICENSE-*")}
        build_data["force_include"] |= {str(path): str(at) for path, at in added.items()}

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Removes the temporary folder."""
        self._folder.cleanup()


def generate(plain: Path, out: Path) -> None:
    """Writes stratagem/v1 and stratagem/methods.py."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    typed = shutil.which("protoc-gen-mypy", path=path)
    if typed is None:
        raise RuntimeError("there is no protoc-gen-mypy: pip install mypy-protobuf")
    files = sorted(str(path.relative_to(plain)) for path in plain.rglob("*.proto"))
    outputs = [f"--python_out={out}", f"--mypy_out=quiet:{out}"]
    outputs += [f"--plugin=protoc-gen-mypy={typed}"]
    outputs += ["--include_source_info", f"--descriptor_set_out={out}/contract.binpb"]
    command = [sys.executable, "-m", "grpc_tools.protoc", "-I", str(plain), *outputs, *files]
    subprocess.run(command, check=True)
    contract = FileDescriptorSet.FromString((out / "contract.binpb").read_bytes()).file
    messages = '"""The messages of the contract."""\n\n' + "".join(map(imports, contract))
    (out / "stratagem/v1/__init__.py").write_text(messages)
    (out / "stratagem/methods.py").write_text(HEADER + "".join(methods(contract)))


def imports(file: FileDescriptorProto) -> str:
    """Imports of all that a file declares."""
    module = Path(file.name).stem + "_pb2"
    declared = [one.name for one in file.message_type] + [one.name for one in file.enum_type]
    declared += [value.name for one in file.enum_type for value in one.value]
    return "".join(f"from stratagem.v1.{module} import {name} as {name}\n" for name in declared)


def methods(contract: Any) -> Iterator[str]:
    """A documented constant for each method."""
    reports = {
        message.name
        for file in contract
        for message in file.message_type
        if any(field.name == "report" for field in message.field)
    }
    for file in contract:
        comments = {tuple(at.path): at.leading_comments for at in file.source_code_info.location}
        for i, service in enumerate(file.service):
            for j, method in enumerate(service.method):
                request, response = (
                    name.rpartition(".")[2] for name in (method.input_type, method.output_type)
                )
                kind = "Unary"
                if method.server_streaming:
                    kind = "Search" if response in reports else "Streaming"
                path = f"/{file.package}.{service.name}/{method.name}"
                # 6: services of a file; 2: methods of a service.
                lines = (line.strip() for line in comments[6, i, 2, j].strip().splitlines())
                yield f'\n{method.name} = {kind}("{path}", v1.{request}, v1.{response})\n'
                yield '"""{}"""\n'.format("\n".join(lines))
