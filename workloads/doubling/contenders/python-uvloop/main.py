import asyncio

import server
import uvloop

uvloop.install()
asyncio.run(server.main())
