-- | One job without a size, two with, and a command: what every kit's example does.
module Main (main) where

import qualified Data.ByteString.Builder as Builder
import qualified Data.ByteString.Char8 as B
import qualified Data.ByteString.Lazy as L
import Data.Char (chr, digitToInt, isHexDigit)
import Data.Maybe (listToMaybe)
import Data.Word (Word64)
import Probe
import System.Environment (getArgs)

main :: IO ()
main = do
  sizes <- getArgs
  serve
    (only (read <$> listToMaybe sizes) jobs)
    [(B.pack "twice", pure . fmap (\once -> once <> once) . unhex . B.unpack)]

jobs :: [Job]
jobs =
  [ job (map (* 7919) [0 .. 63]) (Builder.toLazyByteString . Builder.intDec),
    sized 1 [0 .. 6] (\i -> B.replicate i (toEnum (97 + i))),
    sized 8 [0 .. 6] (\i -> i - 1 :: Word64)
  ]

unhex :: String -> Either String L.ByteString
unhex text = L.fromStrict . B.pack <$> pairs text
  where
    pairs (a : b : rest) | isHexDigit a && isHexDigit b = (chr (digitToInt a * 16 + digitToInt b) :) <$> pairs rest
    pairs [] = Right []
    pairs _ = Left "hexadecimal digits were expected"
