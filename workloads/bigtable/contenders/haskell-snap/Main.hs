{-# LANGUAGE OverloadedStrings #-}

-- | Snap. Its argument says how the page is made: @naive@, whole, as strict Text; or @tuned@, by bytestring's Builder
-- as it is sent.
module Main (main) where

import Data.Maybe (catMaybes)
import qualified Page
import qualified PageText
import Snap.Core
import Snap.Http.Server
import System.Environment (getArgs)
import Table (Size, sizeBy)

naive, tuned :: Size -> Snap ()
naive = writeText . PageText.page
tuned = writeBuilder . Page.page

table :: (Size -> Snap ()) -> Snap ()
table page = do
  given <- mapM (\name -> fmap ((,) name) <$> getQueryParam name) ["rows", "columns"]
  case sizeBy (`lookup` catMaybes given) of
    Just size -> modifyResponse (setContentType "text/html") >> page size
    Nothing -> do
      modifyResponse (setResponseCode 400 . setContentType "text/plain")
      writeBS "rows: 1 to 10000, columns: 1 to 100\n"

configured :: Int -> Config Snap a
configured port =
  setBind "127.0.0.1" . setPort port . setAccessLog ConfigNoLog . setErrorLog ConfigNoLog
    . setCompression False
    . setVerbose False
    $ defaultConfig

main :: IO ()
main = do
  [port, way] <- getArgs
  httpServe (configured (read port)) (ifTop (table (if way == "tuned" then tuned else naive)))
