{-# LANGUAGE OverloadedStrings #-}

-- @SUMMARY@
-- A green thread a connection; requests may follow each other without waiting.
module Main (main) where

import Control.Concurrent (forkFinally)
import Control.Monad (forever, unless)
import qualified Data.ByteString.Char8 as B
import Data.Char (toLower)
import Network.Socket
import Network.Socket.ByteString (recv, sendAll)
import System.Environment (getArgs)

body, reply :: B.ByteString
body = @EXPECT@
reply =
  B.concat
    [ "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: "
    , B.pack (show (B.length body))
    , "\r\n\r\n"
    , body
    ]

-- What follows the first request of the bytes, if it is there whole.
afterRequest :: B.ByteString -> Maybe B.ByteString
afterRequest bytes
  | B.null end || B.length rest < size = Nothing
  | otherwise = Just (B.drop size rest)
  where
    (request, end) = B.breakSubstring "\r\n\r\n" bytes
    rest = B.drop 4 end
    (_, field) = B.breakSubstring "\r\ncontent-length:" (B.map toLower request)
    size = maybe 0 fst (B.readInt (B.dropWhile (== ' ') (B.drop 17 field)))

-- The answers to all whole requests, and what is left.
answers :: B.ByteString -> ([B.ByteString], B.ByteString)
answers bytes = case afterRequest bytes of
  Nothing -> ([], bytes)
  Just rest -> let (more, left) = answers rest in (reply : more, left)

serve :: Socket -> B.ByteString -> IO ()
serve connection held = do
  piece <- recv connection 65536
  let (replies, left) = answers (held <> piece)
  -- No request is longer than 64 KiB.
  unless (B.null piece || B.length left > 65536) $ do
    unless (null replies) $ sendAll connection (B.concat replies)
    serve connection left

@LISTEN@
