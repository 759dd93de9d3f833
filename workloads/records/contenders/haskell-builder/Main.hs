-- | Encoders written with bytestring's Builder.
module Main (main) where

import Data.ByteString.Builder (toLazyByteString)
import Data.Maybe (listToMaybe)
import Encoders
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

main :: IO ()
main = do
  names <- getArgs
  serve (only (sizeOfCase =<< listToMaybe names) jobs) []

jobs :: [Job]
jobs =
  [ sized 1 (records fields1) (toLazyByteString . encode1),
    sized 2 (records fields2) (toLazyByteString . encode2),
    sized 5 (records fields5) (toLazyByteString . encode5),
    sized 10 (records fields10) (toLazyByteString . encode10),
    sized 15 (records fields15) (toLazyByteString . encode15),
    sized 20 (records fields20) (toLazyByteString . encode20),
    sized 25 (records fields25) (toLazyByteString . encode25),
    sized 35 (records fields35) (toLazyByteString . encode35),
    sized 50 (records fields50) (toLazyByteString . encode50)
  ]
