-- | How a field is written.
module Field (field) where

import Data.ByteString.Builder (Builder, intDec, shortByteString)
import Data.ByteString.Short (ShortByteString)

-- | What stands before the value (its name in marks, a colon, what parts it from the field before), packed once and
-- copied as it is; and the value.
field :: ShortByteString -> Int -> Builder
field before value = shortByteString before <> intDec value
{-# INLINE field #-}
