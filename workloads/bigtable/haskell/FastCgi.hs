{-# LANGUAGE OverloadedStrings #-}

-- | A responder of FastCGI 1.0 over plain sockets: a green thread a connection, a request at a time on each.
module FastCgi (Request (..), Output, serve, put, putBuilder) where

import Control.Concurrent (forkFinally)
import Control.Monad (forever, unless, void, when)
import Data.Bits (testBit)
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import Data.ByteString.Builder (Builder)
import Data.ByteString.Builder.Extra (Next (..), runBuilder)
import Data.IORef
import Data.Word (Word16, Word8)
import Foreign (Ptr, allocaBytes, plusPtr, pokeArray)
import Network.Socket
import Network.Socket.ByteString (recv, sendAll, sendMany)
import Records (Kind, Record (Record))
import qualified Records as R

-- | A whole request: its meta-variables, and its body.
data Request = Request {variables :: [(ByteString, ByteString)], body :: ByteString}

-- | Where the answer to one request goes.
data Output = Output {connection :: !Connection, ident :: !Word16}

data Connection = Connection
  { peer :: !Socket,
    -- | What was received and not yet read.
    received :: !(IORef ByteString),
    -- | Room for the longest record.
    buffer :: !(Ptr Word8)
  }

-- | Sends some output, at once: a record of its own, or as many as it needs.
put :: Output -> ByteString -> IO ()
put output bytes = unless (B.null bytes) $ do
  let (now, later) = B.splitAt R.longest bytes
      header = R.header R.stdout (ident output) (B.length now)
  sendMany (peer (connection output)) [B.pack header, now]
  put output later

-- | Sends what a builder makes, in records that are as long as they may be. It is made right where it is sent from,
-- behind room for the header.
putBuilder :: Output -> Builder -> IO ()
putBuilder output = go . runBuilder
  where
    room = buffer (connection output)
    go write = do
      (made, after) <- write (room `plusPtr` R.headerSize) R.longest
      when (made > 0) $ sendRecord made
      case after of
        Done -> pure ()
        More least again
          | least > R.longest -> fail ("a piece of " <> show least <> " bytes does not go into a record")
          | otherwise -> go again
        Chunk bytes again -> put output bytes >> go again
    sendRecord made = do
      pokeArray room (R.header R.stdout (ident output) made)
      sendBuffer (peer (connection output)) room (R.headerSize + made)

sendBuffer :: Socket -> Ptr Word8 -> Int -> IO ()
sendBuffer to from size = unless (size == 0) $ do
  sent <- sendBuf to from size
  sendBuffer to (from `plusPtr` sent) (size - sent)

-- | Serves requests on a listening socket, for ever.
serve :: Socket -> (Request -> Output -> IO ()) -> IO ()
serve listener handler = forever $ do
  (client, _) <- accept listener
  -- A connection that breaks concerns nobody but its peer.
  void $ forkFinally (converse client) (const (close client))
  where
    converse client = allocaBytes (R.headerSize + R.longest) $ \room -> do
      nothing <- newIORef B.empty
      requests handler (Connection client nothing room)

-- | Answers requests as long as the web server wants to keep the connection.
requests :: (Request -> Output -> IO ()) -> Connection -> IO ()
requests handler open = do
  begun <- begin open
  case begun of
    Nothing -> pure ()
    Just (number, keep) -> do
      request <- gather open number [] []
      let output = Output open number
      mapM_ (`handler` output) request
      end output
      when keep $ requests handler open

-- | Ends a request: its output, and itself, complete and without an error.
end :: Output -> IO ()
end (Output open number) =
  sendAll (peer open) (R.encoded R.stdout number B.empty <> ended number requestComplete)

requestComplete, cannotMultiplex, unknownRole :: Word8
requestComplete = 0
cannotMultiplex = 1
unknownRole = 3

ended :: Word16 -> Word8 -> ByteString
ended number status = R.encoded R.endRequest number (B.pack [0, 0, 0, 0, status, 0, 0, 0])

-- | The next request to a responder: its id, and whether the connection is to be kept. None: the connection has ended.
begin :: Connection -> IO (Maybe (Word16, Bool))
begin open = do
  record <- next open
  case record of
    Nothing -> pure Nothing
    Just (Record kind number content)
      | kind == R.beginRequest, B.length content == 8 -> case B.unpack (B.take 3 content) of
        [0, 1, flags] -> pure (Just (number, testBit flags 0))
        _ -> sendAll (peer open) (ended number unknownRole) >> begin open
      | otherwise -> manage open kind number content >> begin open

-- | All of a request, whose pieces so far are given last first. None: it was given up.
gather :: Connection -> Word16 -> [ByteString] -> [ByteString] -> IO (Maybe Request)
gather open number named given = do
  record <- next open
  case record of
    Nothing -> fail "the connection ended within a request"
    Just (Record kind from content)
      | kind == R.beginRequest -> sendAll (peer open) (ended from cannotMultiplex) >> gather open number named given
      | from /= number -> manage open kind from content >> gather open number named given
      | kind == R.params -> gather open number (content : named) given
      | kind == R.stdin, B.null content -> pure (Just (Request (R.pairs (joined named)) (joined given)))
      | kind == R.stdin -> gather open number named (content : given)
      | kind == R.abortRequest -> pure Nothing
      | otherwise -> fail ("a record of the kind " <> show kind <> " within a request")
  where
    joined = B.concat . reverse

-- | Answers what belongs to no request; and leaves alone what belongs to one that is over.
manage :: Connection -> Kind -> Word16 -> ByteString -> IO ()
manage open kind number content
  | number /= 0 = pure ()
  | kind == R.getValues = sendAll (peer open) (R.encoded R.getValuesResult 0 (multiplexing content))
  | otherwise = sendAll (peer open) (R.encoded R.unknownType 0 (B.pack [kind, 0, 0, 0, 0, 0, 0, 0]))

-- | Of all that may be asked for, only this is certain: requests come one by one.
multiplexing :: ByteString -> ByteString
multiplexing asked
  | name `elem` map fst (R.pairs asked) = B.pack [fromIntegral (B.length name), 1] <> name <> "0"
  | otherwise = B.empty
  where
    name = "FCGI_MPXS_CONNS"

-- | The next record; none: the connection ended before one.
next :: Connection -> IO (Maybe Record)
next open = do
  header <- exactly open R.headerSize
  case header of
    Nothing -> pure Nothing
    Just bytes | B.head bytes /= 1 -> fail ("FastCGI of version " <> show (B.head bytes))
    Just bytes -> do
      let (size, padding) = R.lengths bytes
          number = fromIntegral (B.index bytes 2) * 256 + fromIntegral (B.index bytes 3)
          record = Record (B.index bytes 1) number . B.take size
      rest <- exactly open (size + padding)
      maybe (fail "the connection ended within a record") (pure . Just . record) rest

-- | So many bytes; none: the connection ended before them.
exactly :: Connection -> Int -> IO (Maybe ByteString)
exactly open count = readIORef (received open) >>= go
  where
    go bytes
      | B.length bytes >= count = do
        let (taken, left) = B.splitAt count bytes
        Just taken <$ writeIORef (received open) left
      | otherwise = do
        more <- recv (peer open) 16384
        if B.null more then pure Nothing else go (bytes <> more)
