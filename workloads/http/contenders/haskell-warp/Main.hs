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
import Data.Text (Text)
import Network.HTTP.Types (hContentLength, hContentType, status200, status404)
import Network.Socket
import Network.Wai (Application, Response, rawPathInfo, responseLBS)
import Network.Wai.Handler.Warp (defaultSettings, runSettingsSocket)
import System.Environment (getArgs)
import World (World, openWorld, randomRow)

newtype Message = Message {message :: Text}

$(deriveToJSON defaultOptions ''Message)

answer :: B.ByteString -> L.ByteString -> Response
answer kind body = responseLBS status200 [(hContentType, kind), (hContentLength, size)] body
  where
    size = B.pack (show (L.length body)) -- without it, the answer would be chunked

json :: ToJSON a => a -> Response
json = answer "application/json" . encode

-- | Warp adds Server and Date.
application :: Maybe World -> Application
application world request respond = case (rawPathInfo request, world) of
  ("/plaintext", _) -> respond (answer "text/plain" "Hello, World!")
  ("/json", _) -> respond (json (Message "Hello, World!"))
  ("/db", Just rows) -> randomRow rows >>= respond . json
  _ -> respond (responseLBS status404 [(hContentLength, "0")] "")

listenOn :: PortNumber -> IO Socket
listenOn port = bracketOnError (socket AF_INET Stream defaultProtocol) close $ \listener -> do
  setSocketOption listener ReuseAddr 1
  setSocketOption listener NoDelay 1 -- accepted sockets inherit it
  bind listener (SockAddrInet port (tupleToHostAddress (127, 0, 0, 1)))
  listen listener 4096
  pure listener

main :: IO ()
main = do
  [port, driver] <- getArgs
  world <- openWorld driver
  listener <- listenOn (read port)
  runSettingsSocket defaultSettings listener (application world)
