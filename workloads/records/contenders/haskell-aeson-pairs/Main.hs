-- | Encoders written with aeson's pairs.
module Main (main) where

import Data.Aeson (encode)
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
import Instances ()
import Probe
import Records
import System.Environment (getArgs)

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
