{-# LANGUAGE LambdaCase #-}

-- | The tests of a database, which the environment names.
module World (World (..), Tests (..), openWorld) where

import Control.Concurrent (getNumCapabilities)
import Control.Monad (replicateM)
import Data.Array (listArray, (!))
import Data.Pool (Pool, createPool, withResource)
import qualified Data.Set as Set
import qualified Prepared
import Row (Fortune, Row (..))
import qualified Simple
import qualified Sqlite
import System.Environment (lookupEnv)
import System.Random (randomRIO)

data World = World
  { -- | Finds the row of a random id.
    randomRow :: IO Row,
    -- | What only PostgreSQL by prepared statements has.
    tests :: Maybe Tests
  }

data Tests = Tests
  { -- | Finds random rows, each by a query of its own.
    randomRows :: Int -> IO [Row],
    -- | Finds random rows, and gives them new numbers.
    updatedRows :: Int -> IO [Row],
    -- | Random rows from memory.
    cachedRows :: Int -> IO [Row],
    fortunes :: IO [Fortune]
  }

-- | The database, if any; PostgreSQL by the named driver, @prepared@ or @simple@.
openWorld :: String -> IO (Maybe World)
openWorld driver = (,) <$> variable "SQLITE" <*> variable "POSTGRESQL" >>= \case
  (Just path, _) -> getNumCapabilities >>= only (Sqlite.open path) Sqlite.close Sqlite.row
  (_, Just uri)
    | driver == "simple" -> only (Simple.open uri) Simple.close Simple.row connections
    | otherwise -> Just <$> prepared uri connections
  _ -> pure Nothing
  where
    connections = 16
    variable name = (>>= nonEmpty) <$> lookupEnv name
    nonEmpty value = if null value then Nothing else Just value

-- | A database that has the table @world@ only.
only :: IO a -> (a -> IO ()) -> (a -> Int -> IO Row) -> Int -> IO (Maybe World)
only open close row size = do
  pool <- pooled open close size
  pure (Just (finding pool row Nothing))

prepared :: String -> Int -> IO World
prepared uri size = do
  pool <- pooled (Prepared.open uri) Prepared.close size
  rows <- withResource pool Prepared.cached
  let byId = listArray (1, length rows) rows
      find connection = traverse (Prepared.row connection)
  pure . finding pool Prepared.row . Just $
    Tests
      { randomRows = \count -> do
          ids <- replicateM count randomId
          withResource pool (`find` ids),
        updatedRows = \count -> do
          ids <- differentIds count
          withResource pool $ \connection -> do
            found <- find connection ids
            changed <- traverse (\row -> Row (rowId row) <$> randomId) found
            changed <$ Prepared.update connection changed,
        cachedRows = \count -> replicateM count ((byId !) <$> randomId),
        fortunes = withResource pool Prepared.fortunes
      }

finding :: Pool a -> (a -> Int -> IO Row) -> Maybe Tests -> World
finding pool row = World (randomId >>= \key -> withResource pool (`row` key))

-- | A database that is not there is told at the start.
pooled :: IO a -> (a -> IO ()) -> Int -> IO (Pool a)
pooled open close size = do
  pool <- createPool open close 1 aDay size
  pool <$ withResource pool (const (pure ()))
  where
    aDay = 24 * 60 * 60

randomId :: IO Int
randomId = randomRIO (1, 10000)

-- | Sorted: rows that are written in this order keep no two requests waiting for each other.
differentIds :: Int -> IO [Int]
differentIds count = go Set.empty
  where
    go ids
      | Set.size ids == count = pure (Set.toAscList ids)
      | otherwise = randomId >>= go . (`Set.insert` ids)
