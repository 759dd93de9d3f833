{-# LANGUAGE OverloadedStrings #-}

-- | PostgreSQL by postgresql-simple.
module Simple (Connection, open, close, row) where

import qualified Data.ByteString.Char8 as C
import Database.PostgreSQL.Simple (Connection, Only (..), close, connectPostgreSQL, query)
import Row (Row (..))

open :: String -> IO Connection
open = connectPostgreSQL . C.pack

row :: Connection -> Int -> IO Row
row connection key = do
  rows <- query connection "SELECT id, randomnumber FROM world WHERE id = ?" (Only key)
  case rows of
    [(number, random)] -> pure (Row number random)
    _ -> fail ("PostgreSQL has no row " <> show key)
