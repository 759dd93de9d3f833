{-# LANGUAGE OverloadedStrings #-}

-- | Raw CGI: the page by text's Builder, as lazy Text.
module Main (main) where

import Cgi (serve)
import qualified Data.ByteString.Lazy as L
import Data.Text.Lazy.Builder (Builder, toLazyText)
import Data.Text.Lazy.Builder.Int (decimal)
import Data.Text.Lazy.Encoding (encodeUtf8)
import Table (Size, cells)

page :: Size -> Builder
page size = "<table>" <> foldMap row (cells size) <> "</table>"

row :: [Int] -> Builder
row numbers = "<tr>" <> foldMap cell numbers <> "</tr>\n"

cell :: Int -> Builder
cell number = "<td>" <> decimal number <> "</td>"

main :: IO ()
main = serve (L.putStr . encodeUtf8 . toLazyText . page)
