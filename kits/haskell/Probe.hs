{-# LANGUAGE BangPatterns #-}
{-# LANGUAGE OverloadedStrings #-}

-- | The probe protocol for Haskell: what stands between tare and the code under test.
--
-- A contender says @with = ["kits/haskell"]@ in its manifest, gives ghc @-iwith/haskell@, and says:
--
-- > import qualified Data.ByteString.Char8 as B
-- > import Probe
-- >
-- > inputs :: [Int]
-- > inputs = map (* 7919) [0 .. 63]
-- >
-- > main :: IO ()
-- > main = serve [job inputs (B.pack . show)] []
--
-- Where the case is swept, each size is a job of its own: @sized 25 inputs encode@. A job goes over its inputs, which
-- are evaluated to weak head normal form before anything is timed (so: strict fields), and makes bytes of each: a
-- strict or a lazy 'L.ByteString', of which every chunk is asked for, or a 'Word64'. Further commands (@read HEX@)
-- are the second list of 'serve'.
--
-- 'job' and 'sized' are inlined where they are used, so that the loop is compiled for the function under test.
module Probe
  ( Job,
    Command,
    Result (..),
    job,
    sized,
    only,
    serve,
    term,
  )
where

import Data.Array (listArray)
import Data.Array.Base (unsafeAt)
import Data.Bits (shiftL, shiftR, (.|.))
import qualified Data.ByteString as S
import qualified Data.ByteString.Builder as Builder
import qualified Data.ByteString.Char8 as C
import qualified Data.ByteString.Lazy as L
import qualified Data.ByteString.Lazy.Char8 as LC
import qualified Data.ByteString.Unsafe as U
import Data.Maybe (listToMaybe)
import Data.Word (Word32, Word64)
import GHC.Clock (getMonotonicTimeNSec)
import System.IO (hFlush, isEOF, stdout)

-- | What is timed, for one size or for none.
data Job = Job
  { jobSize :: !(Maybe Word64),
    jobRun :: !(Word64 -> IO Word32),
    jobShow :: !(Word64 -> Maybe L.ByteString)
  }

-- | A further command of one argument: its name, and from the word to the bytes that answer it, or why there are none.
type Command = (S.ByteString, S.ByteString -> IO (Either String L.ByteString))

-- | What a job may make: bytes.
class Result result where
  -- | What one result adds to the checksum.
  weigh :: result -> Word32

  -- | The whole result.
  whole :: result -> L.ByteString

instance Result S.ByteString where
  weigh = term
  {-# INLINE weigh #-}
  whole = L.fromStrict

instance Result L.ByteString where
  weigh = lazyTerm
  {-# INLINE weigh #-}
  whole = id

-- | A number is its eight bytes, little endian. A signed one is converted.
instance Result Word64 where
  weigh n = weighed 8 (fromIntegral n) (fromIntegral (n `shiftR` 32))
  {-# INLINE weigh #-}
  whole = Builder.toLazyByteString . Builder.word64LE

-- | The job of a case without sizes: its inputs, and what makes a result of one.
job :: Result result => [input] -> (input -> result) -> Job
job = jobOf Nothing
{-# INLINE job #-}

-- | The job for one size of a swept case.
sized :: Result result => Word64 -> [input] -> (input -> result) -> Job
sized size = jobOf (Just size)
{-# INLINE sized #-}

-- | For a case that is one size of a sweep: of all jobs that of this size remains, as the job without a size. For the
-- sweep itself ('Nothing') all remain.
only :: Maybe Word64 -> [Job] -> [Job]
only Nothing jobs = jobs
only size jobs = [kept {jobSize = Nothing} | kept <- jobs, jobSize kept == size]

jobOf :: Result result => Maybe Word64 -> [input] -> (input -> result) -> Job
jobOf size inputs result = Job size loop display
  where
    count = length inputs
    table = foldr seq (listArray (0, count - 1) inputs) inputs
    loop total = go total 0 0
    go :: Word64 -> Int -> Word32 -> IO Word32
    go 0 _ !total = pure total
    go left index !total = do
      let !more = weigh (result (unsafeAt table index))
          next = index + 1
      go (left - 1) (if next == count then 0 else next) (total + more)
    display index
      | index < fromIntegral count = Just (whole (result (unsafeAt table (fromIntegral index))))
      | otherwise = Nothing
{-# INLINE jobOf #-}

-- | From a result's length and its first and last four bytes. Shorter ones are padded with zero bytes.
term :: S.ByteString -> Word32
term bytes
  | size >= 4 = weighed size (word bytes 0) (word bytes (size - 4))
  | otherwise = weighed size short short
  where
    size = S.length bytes
    short = word (bytes <> S.replicate (4 - size) 0) 0
{-# INLINE term #-}

-- | The same of a lazy string, which most often is one chunk: every chunk is asked for, none is copied.
lazyTerm :: L.ByteString -> Word32
lazyTerm bytes = case L.toChunks bytes of
  [] -> 0
  [single] -> term single
  first : rest -> chunked first rest

chunked :: S.ByteString -> [S.ByteString] -> Word32
chunked first rest
  | S.length first >= 4 && S.length end >= 4 = weighed size (word first 0) (word end (S.length end - 4))
  | otherwise = term (S.concat (first : rest))
  where
    end = last rest
    size = S.length first + sum (map S.length rest)

weighed :: Int -> Word32 -> Word32 -> Word32
weighed size first end = fromIntegral size * 2654435761 + first * 2246822519 + end * 3266489917
{-# INLINE weighed #-}

-- | Four bytes at a place, little endian. The caller knows that they are there.
word :: S.ByteString -> Int -> Word32
word bytes at = byte 0 .|. byte 1 `shiftL` 8 .|. byte 2 `shiftL` 16 .|. byte 3 `shiftL` 24
  where
    byte n = fromIntegral (U.unsafeIndex bytes (at + n))
{-# INLINE word #-}

-- | Answers each line of standard input with one line on standard output, until the input ends.
serve :: [Job] -> [Command] -> IO ()
serve jobs commands = do
  ended <- isEOF
  if ended
    then pure ()
    else do
      line <- C.getLine
      reply <- answer jobs commands line
      LC.putStrLn (either failed ("ok " <>) reply)
      hFlush stdout
      serve jobs commands
  where
    failed why = LC.pack ("error " <> filter (`notElem` ("\r\n" :: String)) why)

answer :: [Job] -> [Command] -> S.ByteString -> IO (Either String L.ByteString)
answer jobs commands line = case C.split ' ' line of
  "run" : count : size | few size -> either (pure . Left) id (run <$> number count <*> find jobs size)
  "show" : index : size | few size -> pure (display =<< ((,) <$> number index <*> find jobs size))
  [name, argument] | Just command <- lookup name commands -> fmap hex <$> command argument
  _ -> pure (Left (show line <> " is none of: run N [SIZE], show I [SIZE]"))
  where
    few = null . drop 1
    hex = Builder.toLazyByteString . Builder.lazyByteStringHex
    display (index, found) = maybe (Left ("there is no input " <> show index)) (Right . hex) (jobShow found index)

run :: Word64 -> Job -> IO (Either String L.ByteString)
run count found = do
  begin <- getMonotonicTimeNSec
  total <- jobRun found count
  end <- total `seq` getMonotonicTimeNSec
  pure (Right (LC.pack (show (end - begin) <> " " <> show total)))

find :: [Job] -> [S.ByteString] -> Either String Job
find jobs size = do
  wanted <- traverse number (listToMaybe size)
  let found = listToMaybe (filter ((== wanted) . jobSize) jobs)
  maybe (Left ("there is no job of " <> maybe "no size" (("size " <>) . show) wanted)) Right found

-- | Decimal digits alone, within 64 bits.
number :: S.ByteString -> Either String Word64
number text = case C.readInteger text of
  Just (value, "") | C.all (`elem` ['0' .. '9']) text, value < 2 ^ (64 :: Int) -> Right (fromInteger value)
  _ -> Left (show text <> " is no number of 64 bits")
