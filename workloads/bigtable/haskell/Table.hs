{-# LANGUAGE OverloadedStrings #-}

-- | The table that is asked for, and its cells.
module Table (Size (..), sizeBy, sizeOf, cells) where

import Control.Monad (guard)
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import qualified Data.ByteString.Char8 as C
import Data.Char (isDigit)

-- | How large a table is.
data Size = Size {rows :: !Int, columns :: !Int}

-- | The size that a request asks for, given its parameters: @rows@, and @columns@ if there are not to be 50. None where
-- one of them is no number, 0, or too large.
sizeBy :: (ByteString -> Maybe ByteString) -> Maybe Size
sizeBy parameter =
  Size <$> (parameter "rows" >>= numberTo 10000) <*> maybe (Just 50) (numberTo 100) (parameter "columns")

-- | The size that a query string asks for, without its question mark.
sizeOf :: ByteString -> Maybe Size
sizeOf query = sizeBy (`lookup` map pair (C.split '&' query))
  where
    pair = fmap (B.drop 1) . C.break (== '=')

numberTo :: Int -> ByteString -> Maybe Int
numberTo most digits = do
  guard (C.all isDigit digits && B.length digits <= 9)
  (number, _) <- C.readInt digits
  guard (1 <= number && number <= most)
  pure number

-- | The table as data: rows of cells.
--
-- Not inlined, so that a page is made cell by cell. In one piece with what writes them, the compiler sees that all rows
-- are alike, makes one and copies it.
cells :: Size -> [[Int]]
cells (Size high wide) = replicate high [1 .. wide]
{-# NOINLINE cells #-}
