{-# LANGUAGE OverloadedStrings #-}

-- @SUMMARY@
-- A green thread a connection. Answers are sent when no whole line is left to answer.
module Main (main) where

import Control.Concurrent (forkFinally)
import Control.Monad (forever, unless)
import qualified Data.ByteString.Char8 as B
import Network.Socket
import Network.Socket.ByteString (recv, sendAll)
import System.Environment (getArgs)

@ANSWER@
-- The answers to the lines up to the first that ends the connection, and whether none did.
answers :: [B.ByteString] -> ([B.ByteString], Bool)
answers [] = ([], True)
answers (line : rest) = case answer line of
  Nothing -> ([], False)
  Just reply -> let (more, open) = answers rest in (reply : "\n" : more, open)

serve :: Socket -> B.ByteString -> IO ()
serve socket' tail' = do
  piece <- recv socket' 65536
  let (whole, rest) = B.breakEnd (== '\n') (tail' <> piece)
      (replies, open) = answers (B.lines whole)
  unless (B.null piece) $ do
    unless (null replies) $ sendAll socket' (B.concat replies)
    -- No line is longer than 64 KiB.
    if open && B.length rest <= 65536 then serve socket' rest else finish socket'

-- Closing with bytes unread would reset the connection and may take answers with it.
finish :: Socket -> IO ()
finish socket' = shutdown socket' ShutdownSend >> drain
  where
    drain = recv socket' 65536 >>= \piece -> unless (B.null piece) drain

@LISTEN@
