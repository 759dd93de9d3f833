-- | As much of libfcgi's @fcgiapp.h@ as a responder needs. Its socket is descriptor 0.
module Fcgx (Request, initialise, withRequest, accept, finish, parameter, put) where

import Control.Monad (when)
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import Data.ByteString.Unsafe (unsafeUseAsCStringLen)
import Foreign (Ptr, allocaBytesAligned, nullPtr, peekByteOff)
import Foreign.C (CInt (..), CString, throwErrnoIf_, withCString)

#include <fcgiapp.h>

-- | An @FCGX_Request@.
newtype Request = Request (Ptr Request)

data Stream

data Parameters

foreign import ccall unsafe "FCGX_Init" fcgxInit :: IO CInt

foreign import ccall unsafe "FCGX_InitRequest" fcgxInitRequest :: Ptr Request -> CInt -> CInt -> IO CInt

-- The calls that may wait let the other threads go on.
foreign import ccall safe "FCGX_Accept_r" fcgxAccept :: Ptr Request -> IO CInt

foreign import ccall safe "FCGX_Finish_r" fcgxFinish :: Ptr Request -> IO ()

foreign import ccall safe "FCGX_GetChar" fcgxGetChar :: Ptr Stream -> IO CInt

foreign import ccall safe "FCGX_PutStr" fcgxPutStr :: CString -> CInt -> Ptr Stream -> IO CInt

foreign import ccall unsafe "FCGX_GetParam" fcgxGetParam :: CString -> Ptr Parameters -> IO CString

-- | To be called once, before all else.
initialise :: IO ()
initialise = do
  failed <- fcgxInit
  when (failed /= 0) $ fail "FCGX_Init failed"

-- | With room for requests, one after the other.
withRequest :: (Request -> IO a) -> IO a
withRequest use = allocaBytesAligned #{size FCGX_Request} #{alignment FCGX_Request} $ \request -> do
  failed <- fcgxInitRequest request 0 0
  when (failed /= 0) $ fail "FCGX_InitRequest failed"
  use (Request request)

-- | Waits for the next request.
accept :: Request -> IO ()
accept (Request request) = throwErrnoIf_ (/= 0) "FCGX_Accept_r" (fcgxAccept request)

-- | Ends the request, and sends what of its output is left. Its input is read to the end before: where the end comes
-- later than the meta-variables, the library would take it for a request, and close the connection.
finish :: Request -> IO ()
finish (Request request) = #{peek FCGX_Request, in} request >>= drain >> fcgxFinish request
  where
    drain stream = do
      byte <- fcgxGetChar stream
      when (byte >= 0) $ drain stream

-- | One of the request's meta-variables.
parameter :: Request -> String -> IO (Maybe ByteString)
parameter (Request request) name = do
  parameters <- #{peek FCGX_Request, envp} request
  value <- withCString name (`fcgxGetParam` parameters)
  if value == nullPtr then pure Nothing else Just <$> B.packCString value

-- | Hands output to the library, which buffers it. That nobody takes it any longer, 'accept' will find.
put :: Request -> ByteString -> IO ()
put (Request request) bytes = unsafeUseAsCStringLen bytes $ \(from, size) -> do
  stream <- #{peek FCGX_Request, out} request
  _ <- fcgxPutStr from (fromIntegral size) stream
  pure ()
