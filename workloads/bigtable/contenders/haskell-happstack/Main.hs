-- | Happstack; the page by bytestring's Builder.
module Main (main) where

import Control.Applicative (optional)
import qualified Data.ByteString.Builder as Builder
import qualified Data.ByteString.Char8 as C
import Data.ByteString.Lazy (toStrict)
import Happstack.Server
import Listen (listenOn)
import Page (page)
import System.Environment (getArgs)
import Table (sizeBy)

table :: ServerPart Response
table = do
  rows <- optional (lookBS "rows")
  columns <- optional (lookBS "columns")
  let given = [(C.pack name, toStrict value) | (name, Just value) <- [("rows", rows), ("columns", columns)]]
  case sizeBy (`lookup` given) of
    Just size -> ok (toResponseBS (C.pack "text/html") (Builder.toLazyByteString (page size)))
    Nothing -> badRequest (toResponse "rows: 1 to 10000, columns: 1 to 100")

main :: IO ()
main = do
  [argument] <- getArgs
  let number = read argument
  listener <- listenOn (fromIntegral number)
  simpleHTTPWithSocket listener nullConf {port = number, logAccess = Nothing} (nullDir >> table)
