"""What channels, blocking or asynchronous, are made of."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import Any

import grpc

Pem = bytes | str | PathLike[str]

# 64 MiB: the server's `response_bytes_max`, and room for a repetition of its largest request.
_BYTES_MAX = 64 << 20


@dataclass(frozen=True)
class Tls:
    """Certificates of a connection, each as PEM: bytes, or the path of a file."""

    ca: Pem | None = None
    """Authorities that are trusted. Default: those of gRPC, which are public ones."""
    certificate: Pem | None = None
    """The client's own certificate, where the server wants one, with those that sign it."""
    key: Pem | None = None
    """The key of that certificate."""

    def credentials(self) -> grpc.ChannelCredentials:
        """Certificates as gRPC takes them. OSError when a file cannot be read."""
        return grpc.ssl_channel_credentials(
            _read(self.ca), private_key=_read(self.key), certificate_chain=_read(self.certificate)
        )


def _read(pem: Pem | None) -> bytes | None:
    return pem if pem is None or isinstance(pem, bytes) else Path(pem).read_bytes()


def credentials(tls: Tls | bool) -> grpc.ChannelCredentials | None:
    """What the connection is secured by; None without TLS."""
    if isinstance(tls, Tls):
        return tls.credentials()
    return Tls().credentials() if tls else None


def options(address: str, round_robin: bool, others: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Options of a channel: the project's retries and keepalive, large messages, then `others`."""
    config = json.loads(resources.files("stratagem").joinpath("service-config.json").read_text())
    if round_robin:
        config["loadBalancingConfig"] = [{"round_robin": {}}]
        config["healthCheckConfig"] = {"serviceName": ""}
    chosen: dict[str, Any] = {
        "grpc.service_config": json.dumps(config),
        "grpc.keepalive_time_ms": 30_000,
        "grpc.keepalive_timeout_ms": 10_000,
        "grpc.max_receive_message_length": _BYTES_MAX,
        # Larger requests are not retried: 256 KiB by default.
        "grpc.per_rpc_retry_buffer_size": _BYTES_MAX,
    }
    if "," in address:
        # Several addresses are no name for the header `:authority`.
        chosen["grpc.default_authority"] = "stratagem"
    return list((chosen | dict(others)).items())


def headers(token: str | None, metadata: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Metadata of a call."""
    bearer = {} if token is None else {"authorization": f"Bearer {token}"}
    return tuple((bearer | dict(metadata)).items())
