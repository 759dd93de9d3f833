-- | A WAI application by wai-extra's handler for CGI.
module Main (main) where

import Application (application)
import Network.Wai.Handler.CGI (run)

main :: IO ()
main = run application
