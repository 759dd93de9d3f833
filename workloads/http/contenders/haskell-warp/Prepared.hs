{-# LANGUAGE OverloadedStrings #-}

-- | PostgreSQL by libpq: a prepared statement, its parameter and its result in binary.
module Prepared (Connection, open, close, row) where

import Control.Concurrent (threadWaitRead)
import Control.Monad (unless, when)
import Data.Bits (shiftL, (.|.))
import qualified Data.ByteString as B
import Data.ByteString.Builder (int32BE, toLazyByteString)
import qualified Data.ByteString.Char8 as C
import Data.ByteString.Lazy (toStrict)
import Database.PostgreSQL.LibPQ (Connection)
import qualified Database.PostgreSQL.LibPQ as PQ
import Row (Row (..))

open :: String -> IO Connection
open uri = do
  connection <- PQ.connectdb (C.pack uri)
  connected <- PQ.status connection
  unless (connected == PQ.ConnectionOk) $ failure connection
  made <- PQ.prepare connection "world" "SELECT id, randomnumber FROM world WHERE id = $1::int4" Nothing
  prepared <- traverse PQ.resultStatus made
  unless (prepared == Just PQ.CommandOk) $ failure connection
  pure connection

close :: Connection -> IO ()
close = PQ.finish

-- | Other green threads run while the database works.
row :: Connection -> Int -> IO Row
row connection key = do
  sent <- PQ.sendQueryPrepared connection "world" [Just (encoded, PQ.Binary)] PQ.Binary
  unless sent $ failure connection
  first <- next connection
  result <- maybe (failure connection) pure first
  end <- next connection
  rows <- PQ.ntuples result
  unless (rows == 1 && null end) $ failure connection
  Row <$> integer result 0 <*> integer result 1
  where
    encoded = toStrict (toLazyByteString (int32BE (fromIntegral key)))

-- | The next result of the query; none: it is over.
next :: Connection -> IO (Maybe PQ.Result)
next connection = do
  busy <- PQ.isBusy connection
  when busy $ do
    PQ.socket connection >>= maybe (failure connection) threadWaitRead
    alive <- PQ.consumeInput connection
    unless alive $ failure connection
  if busy then next connection else PQ.getResult connection

integer :: PQ.Result -> PQ.Column -> IO Int
integer result column = maybe 0 (B.foldl' digit 0) <$> PQ.getvalue result 0 column
  where
    digit number byte = number `shiftL` 8 .|. fromIntegral byte

failure :: Connection -> IO a
failure connection = PQ.errorMessage connection >>= fail . maybe "PostgreSQL failed" C.unpack
