{-# LANGUAGE OverloadedStrings #-}

-- | PostgreSQL by libpq: prepared statements, their results in binary.
module Prepared (Connection, open, close, row, update, fortunes, cached) where

import Control.Concurrent (threadWaitRead)
import Control.Monad (unless, void, when)
import Data.Bits (shiftL, (.|.))
import qualified Data.ByteString as B
import Data.ByteString.Builder (Builder, int32BE, intDec, toLazyByteString)
import qualified Data.ByteString.Char8 as C
import Data.ByteString.Lazy (toStrict)
import Data.Foldable (for_)
import Data.List (intersperse)
import Data.Text.Encoding (decodeUtf8)
import Database.PostgreSQL.LibPQ (Connection)
import qualified Database.PostgreSQL.LibPQ as PQ
import Row (Fortune (..), Row (..))

open :: String -> IO Connection
open uri = do
  connection <- PQ.connectdb (C.pack uri)
  connected <- PQ.status connection
  unless (connected == PQ.ConnectionOk) $ failure connection
  for_ statements $ \(name, text) -> do
    made <- PQ.prepare connection name text Nothing
    prepared <- traverse PQ.resultStatus made
    unless (prepared == Just PQ.CommandOk) $ failure connection
  pure connection

statements :: [(B.ByteString, B.ByteString)]
statements =
  [ ("world", "SELECT id, randomnumber FROM world WHERE id = $1::int4"),
    ( "update",
      "UPDATE world SET randomnumber = new.number \
      \FROM unnest($1::int4[], $2::int4[]) AS new (id, number) WHERE world.id = new.id"
    ),
    ("fortunes", "SELECT id, message FROM fortune"),
    ("cached", "SELECT id, randomnumber FROM cachedworld ORDER BY id")
  ]

close :: Connection -> IO ()
close = PQ.finish

row :: Connection -> Int -> IO Row
row connection key = do
  result <- run connection "world" [(bytes (int32BE (fromIntegral key)), PQ.Binary)]
  rows <- PQ.ntuples result
  unless (rows == 1) $ failure connection
  rowAt result 0

-- | Writes the numbers of rows.
update :: Connection -> [Row] -> IO ()
update connection rows = void (run connection "update" [list rowId, list rowRandomNumber])
  where
    list of_ = (bytes ("{" <> mconcat (intersperse "," (map (intDec . of_) rows)) <> "}"), PQ.Text)

fortunes :: Connection -> IO [Fortune]
fortunes connection = run connection "fortunes" [] >>= each fortune
  where
    fortune result at = Fortune <$> integer result at 0 <*> (maybe "" decodeUtf8 <$> PQ.getvalue result at 1)

-- | All rows of the table @cachedworld@, in the order of their ids.
cached :: Connection -> IO [Row]
cached connection = run connection "cached" [] >>= each rowAt

each :: (PQ.Result -> PQ.Row -> IO a) -> PQ.Result -> IO [a]
each one result = do
  rows <- PQ.ntuples result
  traverse (one result) [0 .. rows - 1]

rowAt :: PQ.Result -> PQ.Row -> IO Row
rowAt result at = Row <$> integer result at 0 <*> integer result at 1

-- | Runs a prepared statement. Other green threads run while the database works.
run :: Connection -> B.ByteString -> [(B.ByteString, PQ.Format)] -> IO PQ.Result
run connection name parameters = do
  sent <- PQ.sendQueryPrepared connection name (map Just parameters) PQ.Binary
  unless sent $ failure connection
  first <- next connection
  result <- maybe (failure connection) pure first
  end <- next connection
  status <- PQ.resultStatus result
  unless (status `elem` [PQ.TuplesOk, PQ.CommandOk] && null end) $ failure connection
  pure result

-- | The next result of the query; none: it is over.
next :: Connection -> IO (Maybe PQ.Result)
next connection = do
  busy <- PQ.isBusy connection
  when busy $ do
    PQ.socket connection >>= maybe (failure connection) threadWaitRead
    alive <- PQ.consumeInput connection
    unless alive $ failure connection
  if busy then next connection else PQ.getResult connection

integer :: PQ.Result -> PQ.Row -> PQ.Column -> IO Int
integer result at column = maybe 0 (B.foldl' digit 0) <$> PQ.getvalue result at column
  where
    digit number byte = number `shiftL` 8 .|. fromIntegral byte

bytes :: Builder -> B.ByteString
bytes = toStrict . toLazyByteString

failure :: Connection -> IO a
failure connection = PQ.errorMessage connection >>= fail . maybe "PostgreSQL failed" C.unpack
