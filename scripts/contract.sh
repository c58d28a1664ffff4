# shellcheck shell=bash
# Sourced by ./test after deploy.sh: proves that clients in other languages compile against the contract. Where a compiler or
# generator cannot be had, its check is SKIPPED.

TYPESCRIPT=.tools/typescript

# Compilers, generators and libraries of clients: those of the system for C++, C#, GDScript, Java and languages that
# are generated only, those of npm for TypeScript. Those for Python are in .tools/deploy.
setup_contract() {
  local missing=()
  [ -x /usr/bin/protoc ] || missing+=(protobuf-compiler)
  command -v g++ >/dev/null || missing+=(g++)
  command -v pkg-config >/dev/null || missing+=(pkg-config)
  [ -x /usr/bin/grpc_cpp_plugin ] || missing+=(protobuf-compiler-grpc)
  [ -e /usr/include/grpcpp/grpcpp.h ] || missing+=(libgrpc++-dev)
  [ -e /usr/include/google/protobuf/message.h ] || missing+=(libprotobuf-dev)
  [ "${#missing[@]}" = 0 ] || try_apt "${missing[@]}"
  command -v protoc-gen-go >/dev/null || try_apt protoc-gen-go
  command -v mcs >/dev/null || try_apt mono-mcs mono-runtime libmono-system-net-http4.0-cil
  command -v godot3-server >/dev/null || try_apt godot3-server
  # A JDK is used where there is one.
  ! command -v javac >/dev/null || [ -e /usr/share/java/protobuf.jar ] || try_apt libprotobuf-java
  get_locked integration-tests/clients/typescript "$TYPESCRIPT" || echo "    TypeScript and its packages: cannot be had"
}

# The contract, as clients in other languages see it, and the snippets of documents.
contract() {
  python_tests generated.py
  local packages=()
  [ ! -e "$TYPESCRIPT/complete.json" ] || packages=("$PWD/$TYPESCRIPT/node_modules")
  python_tests samples.py "${packages[@]}"
  python_tests snippets.py
}
