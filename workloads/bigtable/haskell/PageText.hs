{-# LANGUAGE OverloadedStrings #-}

-- | The page as strict Text, put together as one does without a builder.
module PageText (page) where

import Data.Text (Text)
import qualified Data.Text as T
import Table (Size, cells)

page :: Size -> Text
page size = "<table>" <> T.concat (map row (cells size)) <> "</table>"

row :: [Int] -> Text
row numbers = "<tr>" <> T.concat (map cell numbers) <> "</tr>\n"

cell :: Int -> Text
cell number = "<td>" <> T.pack (show number) <> "</td>"
