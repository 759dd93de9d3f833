{-# LANGUAGE OverloadedStrings #-}

-- | SQLite by persistent-sqlite's lower half: a connection and its prepared statement.
module Sqlite (Connection, open, close, row) where

import Data.Text (pack)
import Database.Persist (PersistValue (PersistInt64))
import qualified Database.Sqlite as S
import Row (Row (..))

data Connection = Connection S.Connection S.Statement

open :: FilePath -> IO Connection
open path = do
  connection <- S.open (pack path)
  Connection connection <$> S.prepare connection "SELECT id, randomNumber FROM world WHERE id = ?"

close :: Connection -> IO ()
close (Connection connection select) = S.finalize select >> S.close connection

row :: Connection -> Int -> IO Row
row (Connection connection select) key = do
  S.bindInt select 1 key
  step <- S.step select
  values <- S.columns select
  S.reset connection select
  case (step, values) of
    (S.Row, [PersistInt64 number, PersistInt64 random]) -> pure (Row (fromIntegral number) (fromIntegral random))
    _ -> fail ("SQLite has no row " <> show key)
