import os
import sys
from pathlib import Path

from granian import Granian
from granian.constants import HTTPModes, Interfaces, Loops
from granian.http import HTTP1Settings
from granian.log import LogLevels


def path(text: str) -> Path | None:
    """A file; none where the lab names none, which is in clear."""
    return Path(text) if text else None


if __name__ == "__main__":
    port, workers, scheme, certificate, key = sys.argv[1:]
    Granian(
        "app:app",
        # On loopback, unless other machines are to reach it.
        address=os.environ.get("HOST", "127.0.0.1"),
        port=int(port),
        workers=int(workers),
        interface=Interfaces.RSGI,
        loop=Loops.uvloop,
        http=HTTPModes.http2 if scheme in ("h2", "h2c") else HTTPModes.http1,
        http1_settings=HTTP1Settings(pipeline_flush=True),
        websockets=scheme == "ws",
        backlog=4096,
        log_level=LogLevels.warning,
        log_access=False,
        ssl_cert=path(certificate),
        ssl_key=path(key),
    ).serve()
