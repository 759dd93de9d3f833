-- | FastCGI by the C library libfcgi: a few threads, each of which takes requests from it and hands its output to it.
module Main (main) where

import Answer (answer)
import Control.Concurrent (forkFinally, newEmptyMVar, putMVar, takeMVar)
import Control.Monad (forever, replicateM_)
import Data.ByteString.Builder (toLazyByteString)
import qualified Data.ByteString.Lazy as L
import Fcgx (Request, accept, finish, initialise, parameter, put, withRequest)
import System.Posix.Signals (Handler (Default), installHandler, sigTERM)
import Table (sizeOf)

-- | So many requests, and so many connections that are kept, at the same time.
slots :: Int
slots = 16

respond :: Request -> IO ()
respond request = do
  query <- parameter request "QUERY_STRING"
  mapM_ (put request) (L.toChunks (toLazyByteString (answer (query >>= sizeOf))))

slot :: IO ()
slot = withRequest $ \request -> forever $ do
  accept request
  respond request
  finish request

main :: IO ()
main = do
  initialise
  -- The library catches it to end between two requests; a slot that waits for one would never end.
  _ <- installHandler sigTERM Default Nothing
  ended <- newEmptyMVar
  replicateM_ slots (forkFinally slot (putMVar ended))
  takeMVar ended >>= either (ioError . userError . show) pure
