-- | A WAI application by wai-extra's handler for SCGI.
module Main (main) where

import Application (application)
import Network.Wai.Handler.SCGI (run)

-- | Accepts on standard input, one request after the other.
main :: IO ()
main = run application
