{-# LANGUAGE OverloadedStrings #-}

-- | Doubles integers, one a line, as @Main@ does, but a line at a time all the way: each is awaited, answered and sent
-- by itself, whatever came with it.
module Main (main) where

import Answer (answerAll)
import Conduit
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import Data.ByteString.Builder (toLazyByteString)
import qualified Data.ByteString.Char8 as C
import Data.ByteString.Lazy (toStrict)
import Data.Conduit.Network
import Data.Maybe (fromMaybe)
import Data.String (fromString)
import System.Environment (getArgs, lookupEnv)

-- | Lines with their ends, until one does not come to its end in 64 KiB.
wholeLines :: Monad m => ConduitT ByteString ByteString m ()
wholeLines = go B.empty
  where
    go unfinished = await >>= maybe (pure ()) (cut . (unfinished <>))
    cut input = case C.elemIndex '\n' input of
      Just end -> do
        let (line, rest) = B.splitAt (end + 1) input
        yield line
        cut rest
      -- Copied, so that a few bytes do not keep all that was read with them.
      Nothing | B.length input <= 64 * 1024 -> go (B.copy input)
      Nothing -> pure ()

doubling :: Monad m => ConduitT ByteString ByteString m ()
doubling = wholeLines .| takeWhileC (`notElem` ["end\n", "end\r\n"]) .| awaitForever (yield . answer)
  where
    answer = toStrict . toLazyByteString . fst . answerAll

main :: IO ()
main = do
  [port] <- getArgs
  -- On loopback, unless other machines are to reach it.
  host <- fromMaybe "127.0.0.1" <$> lookupEnv "HOST"
  -- Listens with a backlog of SOMAXCONN (4096) and sets TCP_NODELAY.
  runTCPServer (serverSettings (read port) (fromString host)) $ \client ->
    runConduit $ appSource client .| doubling .| appSink client
