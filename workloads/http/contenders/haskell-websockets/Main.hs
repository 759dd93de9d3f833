-- | Echoes messages over WebSocket, by the package websockets: a green thread a connection.
module Main (main) where

import Control.Concurrent (forkIO)
import Control.Exception (SomeException, bracketOnError, finally, handle)
import Control.Monad (forever)
import Data.Maybe (fromMaybe)
import Network.Socket
import Network.WebSockets
import System.Environment (getArgs, lookupEnv)

-- | Sends back what comes, until the connection ends. Pings are answered while reading.
echo :: Socket -> IO ()
echo peer = do
  pending <- makePendingConnection peer defaultConnectionOptions
  connection <- acceptRequest pending
  forever (receiveDataMessage connection >>= sendDataMessage connection)

listenOn :: HostName -> ServiceName -> IO Socket
listenOn host port = do
  let hints = defaultHints {addrFlags = [AI_NUMERICHOST], addrFamily = AF_INET, addrSocketType = Stream}
  address : _ <- getAddrInfo (Just hints) (Just host) (Just port)
  bracketOnError (openSocket address) close $ \listener -> do
    setSocketOption listener ReuseAddr 1
    setSocketOption listener NoDelay 1 -- accepted sockets inherit it
    bind listener (addrAddress address)
    listen listener 4096
    pure listener

main :: IO ()
main = do
  [port] <- getArgs
  -- On loopback, unless other machines are to reach it.
  host <- fromMaybe "127.0.0.1" <$> lookupEnv "HOST"
  listener <- listenOn host port
  forever $ do
    (peer, _) <- accept listener
    forkIO (ignoring (echo peer) `finally` close peer)
  where
    -- A connection that breaks, or ends, concerns nobody but its peer.
    ignoring = handle (\failure -> let _ = failure :: SomeException in pure ())
