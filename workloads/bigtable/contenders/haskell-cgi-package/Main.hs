-- | CGI by the package cgi; the page by bytestring's Builder.
module Main (main) where

import Data.ByteString.Builder (toLazyByteString)
import qualified Data.ByteString.Char8 as C
import qualified Data.ByteString.Lazy as L
import Network.CGI
import Page (page)
import Table (sizeBy)

main :: IO ()
main = runCGI (handleErrors table)

table :: CGI CGIResult
table = do
  rows <- getInputFPS "rows"
  columns <- getInputFPS "columns"
  let given = [(C.pack name, L.toStrict value) | (name, Just value) <- [("rows", rows), ("columns", columns)]]
  case sizeBy (`lookup` given) of
    Nothing -> outputError 400 "Bad Request" ["rows: 1 to 10000, columns: 1 to 100"]
    Just size -> do
      setHeader "Content-Type" "text/html"
      outputFPS (toLazyByteString (page size))
