-- | Doubles integers, one a line: a green thread a connection, blocking calls on plain sockets.
module Main (main) where

import Answer (Next (..), answerAll)
import Control.Concurrent (forkFinally)
import Control.Exception (bracketOnError)
import Control.Monad (forever, unless, void)
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import Data.ByteString.Builder (toLazyByteString)
import Data.Maybe (fromMaybe)
import Network.Socket
import Network.Socket.ByteString (recv)
import Network.Socket.ByteString.Lazy (sendAll)
import System.Environment (getArgs, lookupEnv)

converse :: Socket -> ByteString -> IO ()
converse client unfinished = do
  input <- recv client 4096
  unless (B.null input) $ do
    let (answers, next) = answerAll (unfinished <> input)
    sendAll client (toLazyByteString answers)
    case next of
      More rest -> converse client rest
      Over -> pure ()

serve :: Socket -> IO ()
serve listener = forever $ do
  (client, _) <- accept listener
  -- A connection that breaks concerns nobody but its peer.
  void $ forkFinally (converse client B.empty) (const (close client))

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
  listenOn host port >>= serve
