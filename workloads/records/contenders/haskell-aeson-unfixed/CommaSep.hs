-- | How aeson's Template Haskell put an object together before the fix: every field is encoded into a list, and a
-- recursive function joins the list with commas. GHC inlines no recursive function, so the list is built and walked
-- for each record, and neighbouring pieces of the output are not merged.
module CommaSep (commaSep, field) where

import Data.Aeson (ToJSON (..))
import Data.Aeson.Encoding.Internal (Encoding, colon, comma, empty, retagEncoding, string, (><))

-- | The helper that the report found. It keeps its name in the program, so that a profile can tell it.
commaSep :: [Encoding] -> Encoding
commaSep [] = empty
commaSep [single] = single
commaSep (first : rest) = first >< comma >< commaSep rest
{-# NOINLINE commaSep #-}

-- | A name, a colon, a value: as the fixed shape writes it.
field :: ToJSON value => String -> value -> Encoding
field name value = retagEncoding (string name) >< colon >< toEncoding value
{-# INLINE field #-}
