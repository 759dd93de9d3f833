-- | Listening on loopback.
module Listen (listenOn) where

import Control.Exception (bracketOnError)
import Network.Socket

listenOn :: PortNumber -> IO Socket
listenOn port = bracketOnError (socket AF_INET Stream defaultProtocol) close $ \listener -> do
  setSocketOption listener ReuseAddr 1
  setSocketOption listener NoDelay 1 -- accepted sockets inherit it
  bind listener (SockAddrInet port (tupleToHostAddress (127, 0, 0, 1)))
  listen listener 4096
  pure listener
