import asyncio

import server

asyncio.run(server.main())
