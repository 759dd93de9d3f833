{-# LANGUAGE OverloadedStrings #-}

-- | The page by bytestring's Builder.
module Page (page, row, open, close) where

import Data.ByteString.Builder (Builder, intDec, shortByteString)
import Table (Size, cells)

page :: Size -> Builder
page size = open <> foldMap row (cells size) <> close

open, close :: Builder
open = shortByteString "<table>"
close = shortByteString "</table>"

row :: [Int] -> Builder
row numbers = shortByteString "<tr>" <> foldMap cell numbers <> shortByteString "</tr>\n"

cell :: Int -> Builder
cell number = shortByteString "<td>" <> intDec number <> shortByteString "</td>"
