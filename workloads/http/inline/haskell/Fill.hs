{-# LANGUAGE BangPatterns #-}

-- | Answers written where they are wanted: no array, no string between.
module Fill (fill) where

import qualified Data.ByteString as B
import Data.ByteString.Builder (Builder, toLazyByteString)
import Data.ByteString.Builder.Extra (BufferWriter, Next (..), runBuilder)
import qualified Data.ByteString.Lazy as L
import Data.ByteString.Unsafe (unsafeUseAsCStringLen)
import Data.Int (Int32)
import Data.Word (Word8)
import Foreign.Marshal.Utils (copyBytes)
import Foreign.Ptr (Ptr, castPtr, plusPtr)

-- | Writes into a buffer of so many bytes, and tells how many it wrote. If they are too many for the buffer: how many
-- there are, negated, to be asked again with one that holds them.
fill :: Builder -> Ptr Word8 -> Int32 -> IO Int32
fill builder buffer room = go 0 (runBuilder builder)
  where
    size = fromIntegral room

    go :: Int -> BufferWriter -> IO Int32
    go !at write = do
      (written, next) <- write (buffer `plusPtr` at) (size - at)
      let !end = at + written
      case next of
        Done -> pure (fromIntegral end)
        More need more | end + need <= size -> go end more
        Chunk bytes more | end + B.length bytes <= size -> insert end bytes >> go (end + B.length bytes) more
        _ -> pure $! negate (fromIntegral (L.length (toLazyByteString builder)))

    insert at bytes = unsafeUseAsCStringLen bytes $ \(from, count) -> copyBytes (buffer `plusPtr` at) (castPtr from) count
