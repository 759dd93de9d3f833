{-# LANGUAGE OverloadedStrings #-}

-- | The job itself: whole lines in, their answers out. The same file serves @haskell-conduit@ and
-- @haskell-sockets@.
module Answer (Answers (..), Next (..), answerAll) where

import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import Data.ByteString.Builder (Builder)
import qualified Data.ByteString.Builder as Builder
import qualified Data.ByteString.Char8 as C
import Data.Char (isDigit)
import Data.Maybe (fromMaybe)

-- | The answers to all whole lines of an input, and what comes next.
data Answers = Answers !Builder !Next

-- | Either more input is wanted, before which this unfinished line stands, or the conversation is over.
data Next = More !ByteString | Over

-- | A line whose end does not come in so many bytes ends the conversation.
maxLine :: Int
maxLine = 64 * 1024

answerAll :: ByteString -> Answers
answerAll = go mempty
  where
    go answers input = case C.elemIndex '\n' input of
      Nothing
        | B.length input > maxLine -> Answers answers Over
        -- Copied, so that a few bytes do not keep all that was read with them.
        | otherwise -> Answers answers (More (B.copy input))
      Just end
        | line == "end" -> Answers answers Over
        | otherwise -> go (answers <> answer line <> "\n") (B.drop (end + 1) input)
        where
          line = withoutReturn (B.take end input)

withoutReturn :: ByteString -> ByteString
withoutReturn line = fromMaybe line (B.stripSuffix "\r" line)

answer :: ByteString -> Builder
answer line = maybe "not an integer" (Builder.integerDec . (2 *)) (integer line)

-- | An optional minus and digits; 'C.readInteger' alone would take a plus, too, and leave what it cannot read.
integer :: ByteString -> Maybe Integer
integer line
  | B.null digits || not (C.all isDigit digits) = Nothing
  | otherwise = fst <$> C.readInteger line
  where
    digits = fromMaybe line (B.stripPrefix "-" line)
