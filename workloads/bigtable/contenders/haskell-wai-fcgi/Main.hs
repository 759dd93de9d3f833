-- | A WAI application by FastCGI: wai-extra's translation from CGI, with its output to a FastCGI responder.
module Main (main) where

import Application (application)
import qualified Data.ByteString as B
import qualified Data.ByteString.Char8 as C
import Data.IORef (atomicModifyIORef', newIORef)
import FastCgi (Output, Request (..), put, serve)
import Listen (listenOn)
import Network.Wai.Handler.CGI (runGeneric)
import System.Environment (getArgs)

handle :: Request -> Output -> IO ()
handle request output = runGeneric named input (put output) Nothing application
  where
    named = [(C.unpack name, C.unpack value) | (name, value) <- variables request]
    -- The body in one piece, and then the end of it.
    input _ = do
      left <- newIORef (body request)
      pure (atomicModifyIORef' left (\bytes -> (B.empty, bytes)))

main :: IO ()
main = do
  [port] <- getArgs
  listener <- listenOn (read port)
  serve listener handle
