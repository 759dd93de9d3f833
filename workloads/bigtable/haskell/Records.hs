-- | The records of FastCGI 1.0, as bytes.
module Records
  ( Record (..),
    Kind,
    beginRequest,
    abortRequest,
    endRequest,
    params,
    stdin,
    stdout,
    getValues,
    getValuesResult,
    unknownType,
    headerSize,
    longest,
    header,
    encoded,
    lengths,
    pairs,
  )
where

import Data.Bits (shiftL, testBit, (.&.), (.|.))
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import Data.List (unfoldr)
import Data.Word (Word16, Word8)

-- | A record, as it was received.
data Record = Record {kind :: !Kind, request :: !Word16, content :: !ByteString}

type Kind = Word8

beginRequest, abortRequest, endRequest, params, stdin, stdout, getValues, getValuesResult, unknownType :: Kind
beginRequest = 1
abortRequest = 2
endRequest = 3
params = 4
stdin = 5
stdout = 6
getValues = 9
getValuesResult = 10
unknownType = 11

-- | Bytes of a record's header.
headerSize :: Int
headerSize = 8

-- | The longest content that a record may have, so that whole records are a multiple of 8 bytes.
longest :: Int
longest = 65528

-- | A record's header: its kind, the request's id, and its content's length, with no padding.
header :: Kind -> Word16 -> Int -> [Word8]
header which ident long = [1, which, high ident, low ident, high long, low long, 0, 0]

-- | A whole record.
encoded :: Kind -> Word16 -> ByteString -> ByteString
encoded which ident bytes = B.pack (header which ident (B.length bytes)) <> bytes

high, low :: Integral a => a -> Word8
high = fromIntegral . (`div` 256)
low = fromIntegral

-- | The lengths of the content and of the padding that a header tells of.
lengths :: ByteString -> (Int, Int)
lengths bytes = (fromIntegral (B.index bytes 4) * 256 + fromIntegral (B.index bytes 5), fromIntegral (B.index bytes 6))

-- | The names and values of a whole stream of them. Ends early where the stream does.
pairs :: ByteString -> [(ByteString, ByteString)]
pairs = unfoldr pair

pair :: ByteString -> Maybe ((ByteString, ByteString), ByteString)
pair bytes = do
  (nameSize, afterName) <- size bytes
  (valueSize, start) <- size afterName
  let (name, rest) = B.splitAt nameSize start
      (value, end) = B.splitAt valueSize rest
  if B.length start < nameSize + valueSize then Nothing else Just ((name, value), end)

-- | A length of one byte, or of four with the first bit set.
size :: ByteString -> Maybe (Int, ByteString)
size bytes = do
  (first, rest) <- B.uncons bytes
  case testBit first 7 of
    False -> Just (fromIntegral first, rest)
    True | B.length rest < 3 -> Nothing
    True -> Just (B.foldl' digit (fromIntegral (first .&. 127)) (B.take 3 rest), B.drop 3 rest)
  where
    digit number byte = number `shiftL` 8 .|. fromIntegral byte
