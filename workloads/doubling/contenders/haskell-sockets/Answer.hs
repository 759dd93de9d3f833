{-# LANGUAGE OverloadedStrings #-}

-- | The job itself: whole lines in, their answers out. The same file serves @haskell-conduit@ and
-- @haskell-sockets@.
module Answer (Next (..), answerAll) where

import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import Data.ByteString.Builder (Builder, intDec, integerDec)
import qualified Data.ByteString.Char8 as C
import Data.Char (isDigit)
import Data.Maybe (fromMaybe)

-- | Either more input is wanted, before which this unfinished line stands, or the conversation is over.
data Next = More !ByteString | Over

-- | A line whose end does not come in so many bytes ends the conversation.
maxLine :: Int
maxLine = 64 * 1024

-- | The answers to all whole lines of an input, and what comes next.
answerAll :: ByteString -> (Builder, Next)
answerAll input = (foldMap answer requests, next)
  where
    (whole, unfinished) = C.breakEnd (== '\n') input
    (requests, end) = break (== "end") (map withoutReturn (C.lines whole))
    next
      | not (null end) || B.length unfinished > maxLine = Over
      -- Copied, so that a few bytes do not keep all that was read with them.
      | otherwise = More (B.copy unfinished)

withoutReturn :: ByteString -> ByteString
withoutReturn line = fromMaybe line (B.stripSuffix "\r" line)

answer :: ByteString -> Builder
answer line = fromMaybe "not an integer" (doubled line) <> "\n"

-- | The double of an integer: an optional minus and digits. The readers alone would take a plus, too, and leave what
-- they cannot read.
doubled :: ByteString -> Maybe Builder
doubled line
  | B.null digits || not (C.all isDigit digits) = Nothing
  | B.length digits <= intDigits = intDec . (2 *) . fst <$> C.readInt line
  | otherwise = integerDec . (2 *) . fst <$> C.readInteger line
  where
    digits = fromMaybe line (B.stripPrefix "-" line)

-- | Any number of so many digits, doubled, is an 'Int': 2 * (10^18 - 1) < 2^63.
intDigits :: Int
intDigits = 18
