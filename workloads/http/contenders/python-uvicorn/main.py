import os
import sys

import uvicorn

if __name__ == "__main__":
    uvicorn.run(
        "app:app",
        host=os.environ.get("HOST", "127.0.0.1"),
        port=int(sys.argv[1]),
        workers=int(sys.argv[2]),
        loop="uvloop",
        http="httptools",
        interface="asgi3",
        lifespan="on",
        backlog=4096,
        access_log=False,
        log_level="warning",
        # Without them it serves in clear.
        ssl_certfile=sys.argv[3] or None,
        ssl_keyfile=sys.argv[4] or None,
        # By default, connections that were idle for 5 s are closed, as those of a frozen contender.
        timeout_keep_alive=3600,
    )
