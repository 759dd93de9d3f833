-- | FastCGI in plain Haskell. Its argument says how output goes out: @plain@, as the program puts it, row by row, each
-- a record of its own; or @buffered@, made right into a buffer of a record's size.
module Main (main) where

import Answer (answer, header, refusal)
import Data.ByteString (ByteString)
import Data.ByteString.Builder (Builder, toLazyByteString)
import qualified Data.ByteString.Char8 as C
import Data.ByteString.Lazy (toStrict)
import FastCgi (Output, Request (..), put, putBuilder, serve)
import Listen (listenOn)
import qualified Page
import System.Environment (getArgs)
import Table (Size, cells, sizeOf)

size :: Request -> Maybe Size
size = (>>= sizeOf) . lookup (C.pack "QUERY_STRING") . variables

buffered, plain :: Request -> Output -> IO ()
buffered request output = putBuilder output (answer (size request))
plain request output = maybe (put output refusal) page (size request)
  where
    page asked = do
      put output header
      put output (strict Page.open)
      mapM_ (put output . strict . Page.row) (cells asked)
      put output (strict Page.close)

strict :: Builder -> ByteString
strict = toStrict . toLazyByteString

main :: IO ()
main = do
  [port, way] <- getArgs
  listener <- listenOn (read port)
  serve listener (if way == "buffered" then buffered else plain)
