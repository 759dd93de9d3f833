{-# OPTIONS_GHC -Wno-orphans #-}

-- | Encoders derived by Generics, which encode straight to bytes.
module Main (main) where

import Data.Aeson (ToJSON (..), defaultOptions, encode, genericToEncoding)
import Data.Maybe (listToMaybe)
import Fields1
import Fields2
import Fields5
import Fields10
import Fields15
import Fields20
import Fields25
import Fields35
import Fields50
import Probe
import Records
import System.Environment (getArgs)

instance ToJSON Fields1 where toEncoding = genericToEncoding defaultOptions

instance ToJSON Fields2 where toEncoding = genericToEncoding defaultOptions

instance ToJSON Fields5 where toEncoding = genericToEncoding defaultOptions

instance ToJSON Fields10 where toEncoding = genericToEncoding defaultOptions

instance ToJSON Fields15 where toEncoding = genericToEncoding defaultOptions

instance ToJSON Fields20 where toEncoding = genericToEncoding defaultOptions

instance ToJSON Fields25 where toEncoding = genericToEncoding defaultOptions

instance ToJSON Fields35 where toEncoding = genericToEncoding defaultOptions

instance ToJSON Fields50 where toEncoding = genericToEncoding defaultOptions

main :: IO ()
main = do
  names <- getArgs
  serve (only (sizeOfCase =<< listToMaybe names) jobs) []

jobs :: [Job]
jobs =
  [ sized 1 (records fields1) encode,
    sized 2 (records fields2) encode,
    sized 5 (records fields5) encode,
    sized 10 (records fields10) encode,
    sized 15 (records fields15) encode,
    sized 20 (records fields20) encode,
    sized 25 (records fields25) encode,
    sized 35 (records fields35) encode,
    sized 50 (records fields50) encode
  ]
