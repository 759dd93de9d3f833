-- | How aeson's Template Haskell put an object together before the fix: every field is encoded into a list, and a
-- recursive function joins the list with commas. GHC inlines no recursive function, so the list is built and walked
-- for each record, and neighbouring pieces of the output are not merged.
--
-- All else is as aeson's Template Haskell writes it today, so that the joiner is the only difference to the fixed one.
module CommaSep (commaSep, field) where

import Data.Aeson (ToJSON (..))
import Data.Aeson.Encoding.Internal (Encoding, comma, empty, unsafeToEncoding, (><))
import Data.ByteString.Builder (shortByteString)
import Data.ByteString.Short (ShortByteString)

-- | The helper that the report found. It keeps its name in the program, so that a profile can tell it.
commaSep :: [Encoding] -> Encoding
commaSep [] = empty
commaSep [single] = single
commaSep (first : rest) = first >< comma >< commaSep rest
{-# NOINLINE commaSep #-}

-- | A name in its marks with its colon, which is packed once; and a value.
field :: ToJSON value => ShortByteString -> value -> Encoding
field name value = unsafeToEncoding (shortByteString name) >< toEncoding value
{-# INLINE field #-}
