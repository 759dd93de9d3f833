{-# LANGUAGE OverloadedStrings #-}
{-# LANGUAGE TemplateHaskell #-}
-- What does not depend on the request would be computed once for all of them, JSON included.
{-# OPTIONS_GHC -fno-full-laziness #-}

-- | FrameworkBenchmarks' tests on warp.
module Main (main) where

import Control.Exception (bracketOnError)
import Data.Aeson (ToJSON, encode)
import Data.Aeson.TH (defaultOptions, deriveToJSON)
import qualified Data.ByteString.Char8 as B
import qualified Data.ByteString.Lazy as L
import Data.Maybe (fromMaybe)
import Data.Text (Text)
import Network.HTTP.Types (hContentLength, hContentType, status200, status404)
import Network.Socket
import Network.Wai (Application, Request, Response, queryString, rawPathInfo, responseLBS)
import Network.Wai.Handler.Warp (defaultSettings, runSettingsSocket)
import Network.Wai.Handler.WarpTLS (runTLSSocket, tlsSettings)
import Page (page)
import System.Environment (getArgs, lookupEnv)
import World (Tests (..), World (..), openWorld)

newtype Message = Message {message :: Text}

$(deriveToJSON defaultOptions ''Message)

answer :: B.ByteString -> L.ByteString -> Response
answer kind body = responseLBS status200 [(hContentType, kind), (hContentLength, size)] body
  where
    size = B.pack (show (L.length body)) -- without it, the answer would be chunked

json :: ToJSON a => a -> Response
json = answer "application/json" . encode

-- | How many rows a request asks for, by a parameter of this name: 1 to 500, and 1 if it is no number.
count :: B.ByteString -> Request -> Int
count name request = case lookup name (queryString request) of
  Just (Just value) | Just (number, "") <- B.readInt value -> max 1 (min 500 number)
  _ -> 1

-- | Warp adds Server and Date.
application :: Maybe World -> Application
application world request respond = case (rawPathInfo request, world) of
  ("/plaintext", _) -> respond (answer "text/plain" "Hello, World!")
  ("/json", _) -> respond (json (Message "Hello, World!"))
  ("/db", Just database) -> randomRow database >>= respond . json
  (path, Just World {tests = Just database}) -> maybe missing (>>= respond) (asked database path)
  _ -> missing
  where
    missing = respond (responseLBS status404 [(hContentLength, "0")] "")
    asked database path = case path of
      "/queries" -> Just (json <$> randomRows database (count "queries" request))
      "/cached-queries" -> Just (json <$> cachedRows database (count "count" request))
      "/updates" -> Just (json <$> updatedRows database (count "queries" request))
      "/fortunes" -> Just (answer "text/html; charset=utf-8" . page <$> fortunes database)
      _ -> Nothing

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
  [port, driver, certificate, key] <- getArgs
  world <- openWorld driver
  -- On loopback, unless other machines are to reach it.
  host <- fromMaybe "127.0.0.1" <$> lookupEnv "HOST"
  listener <- listenOn host port
  serve certificate key listener (application world)

-- | Warp speaks HTTP/2 to whoever does: over TLS by ALPN, in clear by prior knowledge. Without a certificate it is in clear.
serve :: FilePath -> FilePath -> Socket -> Application -> IO ()
serve "" _ = runSettingsSocket defaultSettings
serve certificate key = runTLSSocket (tlsSettings certificate key) defaultSettings
