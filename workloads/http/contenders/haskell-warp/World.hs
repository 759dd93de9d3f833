{-# LANGUAGE LambdaCase #-}

-- | The table @world@, in the database that the environment names.
module World (World, openWorld, randomRow) where

import Control.Concurrent (getNumCapabilities)
import Data.Pool (createPool, withResource)
import qualified Prepared
import Row (Row)
import qualified Simple
import qualified Sqlite
import System.Environment (lookupEnv)
import System.Random (randomRIO)

-- | Finds a row by its id.
newtype World = World (Int -> IO Row)

-- | The database, if any; PostgreSQL by the named driver, @prepared@ or @simple@.
openWorld :: String -> IO (Maybe World)
openWorld driver = (,) <$> variable "SQLITE" <*> variable "POSTGRESQL" >>= \case
  (Just path, _) -> getNumCapabilities >>= pooled (Sqlite.open path) Sqlite.close Sqlite.row
  (_, Just uri)
    | driver == "simple" -> pooled (Simple.open uri) Simple.close Simple.row connections
    | otherwise -> pooled (Prepared.open uri) Prepared.close Prepared.row connections
  _ -> pure Nothing
  where
    connections = 16
    variable name = (>>= nonEmpty) <$> lookupEnv name
    nonEmpty value = if null value then Nothing else Just value

pooled :: IO a -> (a -> IO ()) -> (a -> Int -> IO Row) -> Int -> IO (Maybe World)
pooled open close row size = do
  pool <- createPool open close 1 aDay size
  let world = World (find pool)
  _ <- randomRow world -- a database that is not there is told at the start
  pure (Just world)
  where
    find pool key = withResource pool (`row` key)
    aDay = 24 * 60 * 60

randomRow :: World -> IO Row
randomRow (World find) = randomRIO (1, 10000) >>= find
