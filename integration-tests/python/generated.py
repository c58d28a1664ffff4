"""Code in other languages, generated from the contract: no name comes out changed.

The generators are those of the system (Debian: protobuf-compiler, protoc-gen-go). Java is compiled
where there is a JDK; files of PHP and Ruby are parsed where there is an interpreter. C#, Go, Kotlin
and Objective-C are generated and searched only.
"""

import re
import shutil
import tempfile
import unittest
from collections import Counter
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from stage import ROOT, run

PROTO = ROOT / "proto"
# Writes the contract as most generators take it: without rules of fields.
PLAIN = ROOT / "scripts/plain-contract"
# Of the same version as the libraries of the system; whatever else the path has may not be.
PROTOC = "/usr/bin/protoc"
PROTOBUF_JAR = Path("/usr/share/java/protobuf.jar")
# Methods of every object in Ruby: fields of these names cannot be read as `message.name`.
RUBY_METHODS = (
    "class clone display dup extend freeze hash inspect itself method methods object_id send tap"
).split()


class Language:
    """A generator, and how its output shows that a name is taken.

    `changed` finds names that the generator had to change, in its group. `member` finds what a
    class or struct, found by `scope`, must not have twice. `known` are changed names that are
    accepted, as long as they are there.
    """

    def __init__(self, arguments, files, changed, scope=None, member=None, known=(), plugin=None):
        self.arguments, self.files, self.plugin = arguments, files, plugin
        self.known = set(known)
        self._changed = re.compile(changed, re.M)
        self._scope = re.compile(scope) if scope else None
        self._member = re.compile(member) if member else None

    def clashes(self, folder):
        """Names in generated files that were changed or are there twice."""
        found = set()
        for path in sorted(folder.rglob(self.files)):
            text = path.read_text(errors="replace")
            changed = self._changed.finditer(text)
            found.update(next(filter(None, match.groups())) for match in changed)
            if self._scope:
                found |= self._repeated(text)
        return found

    def _repeated(self, text):
        scope, members = None, Counter()
        for line in text.splitlines():
            if match := self._scope.search(line):
                scope = match[1]
            elif match := self._member.search(line):
                members[f"{scope}.{match[1]}"] += 1
        return {name for name, times in members.items() if times > 1}


LANGUAGES = {
    "C++": Language(
        ["--cpp_out={}"],
        "*.pb.h",
        # Accessors of fields, and values of enums. Private members always end with an underscore.
        r"\b(?:set|clear|mutable|add)_(\w+_)\(|^ +(\w+_) = -?\d+,",
    ),
    "Java": Language(["--java_out={}"], "*OrBuilder.java", r"\bget(\w+_)\(\)"),
    "Kotlin": Language(
        ["--java_out={}", "--kotlin_out={}"], "*Kt.kt", r"public va[lr] (\w+_|`\w+`): "
    ),
    "C#": Language(
        ["--csharp_out={}"],
        "*.cs",
        r"^ +public [\w.:<>]+ (\w+_) \{",
        scope=r"public sealed partial class (\w+)",
        member=r"^ +public [\w.:<>]+ (\w+) \{",
        # StoryProblem.types, next to the class `Types` that holds what is nested in a message.
        known=["Types_"],
    ),
    "Go": Language(
        ["--go_out={}"],
        "*.pb.go",
        r"^\t([A-Z]\w*_) .*protobuf:|^type (\w+_) ",
        scope=r"^type (\w+) struct",
        member=r"^\t([A-Z]\w*) .*protobuf:",
        plugin="protoc-gen-go",
    ),
    "Objective-C": Language(
        ["--objc_out={}"],
        "*.pbobjc.h",
        r"^@property.*\b(\w+_p);|^@property.*\b(\w+) NS_RETURNS_NOT_RETAINED;",
        scope=r"@interface (\w+)",
        member=r"^@property.*?(\w+)(?: NS_RETURNS_NOT_RETAINED)?;",
        # `id` and `description` are of every object. `newBound` keeps its name, with other rules of
        # memory, which the compiler knows.
        known=["id_p", "description_p", "newBound"],
    ),
    "PHP": Language(["--php_out={}"], "*.php", r"^class ((?:PB|GPB)\w+)"),
    "Ruby": Language(
        ["--ruby_out={}"],
        "*_pb.rb",
        rf"^ +(?:optional|proto3_optional|repeated) :({'|'.join(RUBY_METHODS)}),",
        # ProvedBound.method and others, GetServerInfoResponse.methods: read as `message["method"]`.
        known=["method", "methods"],
    ),
}

# A contract with names that no language takes as they are.
BAD = """
syntax = "proto3";
package bad.v1;
option csharp_namespace = "Bad.V1";
option go_package = "bad/v1;badv1";
option java_multiple_files = true;
option objc_class_prefix = "BAD";
enum List { LIST_UNSPECIFIED = 0; NULL = 1; }
message Value {
  string value = 1;
  string class = 2;
  string string = 3;
  string new_plan = 4;
  string object = 5;
  string hash = 6;
  optional string gap = 7;
  bool has_gap = 8;
}
"""
FOUND_IN_BAD = {
    "C++": {"NULL_", "class_"},
    "Java": {"Class_"},
    "Kotlin": {"class_", "object_"},
    "C#": {"Value_", "Value.HasGap"},
    "Go": {"String_"},
    "Objective-C": {"class_p", "hash_p", "newPlan", "BADValue.hasGap"},
    "PHP": {"PBList"},
    "Ruby": {"class", "hash"},
}


def contract():
    """The files of the contract, by their names for imports."""
    return sorted(str(path.relative_to(PROTO)) for path in PROTO.glob("stratagem/v1/*.proto"))


def fields(files):
    """The fields of all messages."""
    return (field for file in files for message in file.message_type for field in message.field)


class Generated(unittest.TestCase):
    def setUp(self):
        if not Path(PROTOC).exists():
            self.skipTest(f"there is no {PROTOC}")
        folder = tempfile.TemporaryDirectory(prefix="stratagem-generated-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.plain = self.folder / "plain"
        run([PLAIN, self.plain])

    def generate(self, name, source=None, files=None):
        """Code in a language, in a folder of its own."""
        language = LANGUAGES[name]
        if language.plugin and not shutil.which(language.plugin):
            self.skipTest(f"there is no {language.plugin}")
        folder = self.folder / name
        folder.mkdir()
        arguments = [one.format(folder) for one in language.arguments]
        done = run([PROTOC, "-I", source or self.plain, *arguments, *(files or contract())])
        return folder, done.stdout + done.stderr

    def names_survive(self, name):
        """Generates code of the contract, which keeps all names; returns its folder."""
        folder, warnings = self.generate(name)
        self.assertEqual(warnings, "")
        self.assertEqual(LANGUAGES[name].clashes(folder), LANGUAGES[name].known)
        paths = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
        self.assertGreaterEqual(len(paths), len(contract()))
        # On Windows and macOS these are one file.
        lower = Counter(str(path).lower() for path in paths)
        self.assertEqual([path for path, times in lower.items() if times > 1], [])
        return folder

    def parsed_by(self, program, option, files):
        """Has an interpreter read files, without running them."""
        if not shutil.which(program):
            self.skipTest(f"generated, but not parsed: there is no {program}")
        for path in files:
            run([program, option, path])

    def test_names_in_cpp(self):
        self.names_survive("C++")

    def test_names_in_java(self):
        folder = self.names_survive("Java")
        if not shutil.which("javac"):
            self.skipTest("generated, but not compiled: there is no javac")
        if not PROTOBUF_JAR.exists():
            self.skipTest(f"generated, but not compiled: there is no {PROTOBUF_JAR}")
        # Half of the time with a simpler just-in-time compiler.
        quick = ["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-g:none", "-proc:none"]
        files = sorted(folder.rglob("*.java"))
        run(["javac", *quick, "-cp", PROTOBUF_JAR, "-d", self.folder / "classes", *files])

    def test_names_in_kotlin(self):
        self.names_survive("Kotlin")

    def test_names_in_csharp(self):
        self.names_survive("C#")

    def test_names_in_go(self):
        self.names_survive("Go")

    def test_names_in_objective_c(self):
        self.names_survive("Objective-C")

    def test_names_in_php(self):
        folder = self.names_survive("PHP")
        self.parsed_by("php", "-l", sorted(folder.rglob("*.php")))

    def test_names_in_ruby(self):
        folder = self.names_survive("Ruby")
        self.parsed_by("ruby", "-c", sorted(folder.rglob("*.rb")))

    def descriptors(self, source):
        """What the contract in a folder declares."""
        out = self.folder / "contract.binpb"
        run([PROTOC, "-I", source, "-o", out, *contract()])
        return FileDescriptorSet.FromString(out.read_bytes()).file

    def test_the_plain_contract_lacks_nothing_but_rules(self):
        files = self.descriptors(PROTO)
        self.assertGreater(sum(bool(field.options.ByteSize()) for field in fields(files)), 400)
        for file in files:
            file.dependency[:] = [one for one in file.dependency if not one.startswith("buf/")]
            for message in file.message_type:
                for part in [*message.field, *message.oneof_decl]:
                    part.ClearField("options")
        self.assertEqual(files, self.descriptors(self.plain))

    def test_no_two_types_or_enum_values_differ_by_case_only(self):
        names = []
        for file in self.descriptors(self.plain):
            names += [one.name for one in [*file.message_type, *file.enum_type, *file.service]]
            # In C++ values of enums are next to types.
            names += [value.name for enum in file.enum_type for value in enum.value]
        self.assertGreater(len(names), 100)
        lower = Counter(name.lower() for name in names)
        self.assertEqual([name for name, times in lower.items() if times > 1], [])

    def test_a_clash_is_found_in_each_language(self):
        (self.folder / "bad.proto").write_text(BAD)
        for name, found in FOUND_IN_BAD.items():
            with self.subTest(name):
                folder, _ = self.generate(name, self.folder, ["bad.proto"])
                self.assertLessEqual(found, LANGUAGES[name].clashes(folder), name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
