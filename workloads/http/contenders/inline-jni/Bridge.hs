-- | A native method of Java, written in Haskell: the answer as a byte array of its own, into which it is copied.
module Bridge () where

import Data.ByteString (ByteString)
import Data.ByteString.Builder (toLazyByteString)
import Data.ByteString.Lazy (toStrict)
import Data.ByteString.Unsafe (unsafeUseAsCStringLen)
import Data.Int (Int32)
import Data.Word (Word8)
import Foreign.Ptr (FunPtr, Ptr, castFunPtr, castPtr)
import Foreign.Storable (peek, peekElemOff)
import Handlers (answer, request)

-- | A JNIEnv points to a table of functions, whose places are fixed by the JNI specification ("Interface Function
-- Table"). So nothing of a JDK is needed to build this.
type Env = Ptr (Ptr (FunPtr ()))

type Class = Ptr ()

type ByteArray = Ptr ()

-- The imports are unsafe, as those of the bridge that the report measured: the runtime does not step aside for them.
foreign import ccall unsafe "dynamic"
  callNewByteArray :: FunPtr (Env -> Int32 -> IO ByteArray) -> Env -> Int32 -> IO ByteArray

foreign import ccall unsafe "dynamic"
  callSetByteArrayRegion
    :: FunPtr (Env -> ByteArray -> Int32 -> Int32 -> Ptr Word8 -> IO ())
    -> Env -> ByteArray -> Int32 -> Int32 -> Ptr Word8 -> IO ()

foreign export ccall "Java_Bridge_answer"
  bridgeAnswer :: Env -> Class -> Int32 -> Int32 -> Int32 -> IO ByteArray

bridgeAnswer :: Env -> Class -> Int32 -> Int32 -> Int32 -> IO ByteArray
bridgeAnswer env _ what one two = byteArray env (toStrict (toLazyByteString (answer (request what one two))))

byteArray :: Env -> ByteString -> IO ByteArray
byteArray env bytes = unsafeUseAsCStringLen bytes $ \(from, count) -> do
  functions <- peek env
  new <- castFunPtr <$> peekElemOff functions 176
  set <- castFunPtr <$> peekElemOff functions 208
  array <- callNewByteArray new env (fromIntegral count)
  callSetByteArrayRegion set env array 0 (fromIntegral count) (castPtr from)
  pure array
