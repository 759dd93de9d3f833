-- | A WAI application by wai-extra's handler for SCGI.
module Main (main) where

import Application (application)
import Control.Exception (ErrorCall, Handler (..), IOException, catches, displayException)
import Control.Monad (forever)
import Network.Wai.Handler.SCGI (run)
import System.IO (hPutStrLn, stderr)

-- | Accepts on standard input, one request after the other. The handler itself ends with the first connection that
-- brings no request.
main :: IO ()
main = forever (run application `catches` [Handler broken, Handler misspoken])
  where
    broken :: IOException -> IO ()
    broken = hPutStrLn stderr . displayException
    misspoken :: ErrorCall -> IO ()
    misspoken = hPutStrLn stderr . displayException
