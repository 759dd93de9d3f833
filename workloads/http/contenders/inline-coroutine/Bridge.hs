-- | The Haskell side of a line: it is called once, and then calls out for one request after another.
module Bridge () where

import Control.Monad (forever)
import Data.Int (Int32)
import Fill (fill)
import Foreign.Ptr (Ptr)
import Foreign.Storable (peekByteOff)
import Handlers (answer, request)

-- | @struct line@ of line.h.
data Line

-- | Hands over the number of bytes that were written, and waits for the next request. Safe, since that may take long:
-- the runtime is left to other threads, and to the collector, meanwhile.
foreign import ccall safe "line_answered"
  answered :: Ptr Line -> Int32 -> IO ()

foreign export ccall "haskell_serve"
  serve :: Ptr Line -> IO ()

serve :: Ptr Line -> IO ()
serve line = forever (answerOne line >>= answered line)

answerOne :: Ptr Line -> IO Int32
answerOne line = do
  what <- peekByteOff line 16
  one <- peekByteOff line 20
  two <- peekByteOff line 24
  room <- peekByteOff line 28
  buffer <- peekByteOff line 32
  fill (answer (request what one two)) buffer room
