-- | One function for Java: the answer to a request, written into Java's own memory.
module Bridge () where

import Data.Int (Int32)
import Data.Word (Word8)
import Fill (fill)
import Foreign.Ptr (Ptr)
import Handlers (answer, request)

foreign export ccall "haskell_answer"
  haskellAnswer :: Int32 -> Int32 -> Int32 -> Ptr Word8 -> Int32 -> IO Int32

haskellAnswer :: Int32 -> Int32 -> Int32 -> Ptr Word8 -> Int32 -> IO Int32
haskellAnswer what one two = fill (answer (request what one two))
