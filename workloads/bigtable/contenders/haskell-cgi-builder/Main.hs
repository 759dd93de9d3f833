-- | Raw CGI: the page by bytestring's Builder, straight into standard output's buffer.
module Main (main) where

import Cgi (serve)
import Data.ByteString.Builder (hPutBuilder)
import Page (page)
import System.IO (BufferMode (BlockBuffering), hSetBinaryMode, hSetBuffering, stdout)

main :: IO ()
main = do
  hSetBinaryMode stdout True
  hSetBuffering stdout (BlockBuffering Nothing)
  serve (hPutBuilder stdout . page)
