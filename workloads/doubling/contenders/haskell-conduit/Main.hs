{-# LANGUAGE OverloadedStrings #-}

-- | Doubles integers, one a line: a green thread a connection, a conduit from its socket back to its socket.
module Main (main) where

import Answer (Next (..), answerAll)
import Conduit
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import Data.ByteString.Builder (toLazyByteString)
import Data.ByteString.Lazy (toStrict)
import Data.Conduit.Network
import Data.Maybe (fromMaybe)
import Data.String (fromString)
import System.Environment (getArgs, lookupEnv)

-- | Answers to the lines that arrive together go down together.
doubling :: Monad m => ConduitT ByteString ByteString m ()
doubling = go B.empty
  where
    go unfinished = await >>= maybe (pure ()) (converse . (unfinished <>))
    converse input = do
      let (answers, next) = answerAll input
      yield (toStrict (toLazyByteString answers))
      case next of
        More unfinished -> go unfinished
        Over -> pure ()

main :: IO ()
main = do
  [port] <- getArgs
  -- On loopback, unless other machines are to reach it.
  host <- fromMaybe "127.0.0.1" <$> lookupEnv "HOST"
  -- Listens with a backlog of SOMAXCONN (4096) and sets TCP_NODELAY.
  runTCPServer (serverSettings (read port) (fromString host)) $ \client ->
    runConduit $ appSource client .| doubling .| appSink client
