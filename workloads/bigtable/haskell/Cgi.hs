-- | What all CGI programs that use no package for it share.
module Cgi (serve) where

import qualified Answer
import qualified Data.ByteString.Char8 as C
import System.Environment (lookupEnv)
import Table (Size, sizeOf)

-- | Serves the one request that the environment tells of, by what writes a page to standard output.
serve :: (Size -> IO ()) -> IO ()
serve write = do
  query <- foldMap C.pack <$> lookupEnv "QUERY_STRING"
  case sizeOf query of
    Just size -> C.putStr Answer.header >> write size
    Nothing -> C.putStr Answer.refusal
