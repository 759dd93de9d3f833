-- | Raw CGI: the page as strict Text.
module Main (main) where

import Cgi (serve)
import qualified Data.ByteString as B
import Data.Text.Encoding (encodeUtf8)
import PageText (page)

main :: IO ()
main = serve (B.putStr . encodeUtf8 . page)
