{-# LANGUAGE DeriveGeneric #-}
{-# LANGUAGE OverloadedStrings #-}
-- Nothing of an answer may be kept for the next one: without this, GHC would make constants of what depends on no
-- argument, and encode the message once in the program's life.
{-# OPTIONS_GHC -fno-full-laziness #-}

-- | The handlers, which are the same for every bridge.
module Handlers (Request, request, answer) where

import Data.Aeson (ToJSON (..), defaultOptions, fromEncoding, genericToEncoding)
import Data.ByteString (ByteString)
import qualified Data.ByteString as B
import Data.ByteString.Builder (Builder, byteString)
import Data.ByteString.Builder.Extra (byteStringCopy)
import Data.Int (Int32)
import Data.Text (Text)
import GHC.Generics (Generic)

data Request
  = Plaintext
  | Json
  | -- | A row's id and its number, as Java read them.
    Row !Int32 !Int32
  | -- | So many letters, of which the first is that far behind @a@.
    Letters !Int !Int

-- | A request as three numbers, which cross every bridge cheaply: what is asked for, and two arguments.
request :: Int32 -> Int32 -> Int32 -> Request
request what one two = case what of
  0 -> Plaintext
  1 -> Json
  2 -> Row one two
  3 -> Letters (fromIntegral one) (fromIntegral two)
  _ -> error ("no request has the number " ++ show what ++ ": the two sides were not built from the same sources")
{-# INLINE request #-}

newtype Message = Message {message :: Text}
  deriving (Generic)

instance ToJSON Message where
  toEncoding = genericToEncoding defaultOptions

data World = World {id :: !Int32, randomNumber :: !Int32}
  deriving (Generic)

instance ToJSON World where
  toEncoding = genericToEncoding defaultOptions

answer :: Request -> Builder
answer Plaintext = byteString "Hello, World!"
answer Json = fromEncoding (toEncoding (Message "Hello, World!"))
answer (Row i n) = fromEncoding (toEncoding (World i n))
answer (Letters start count) = letters (start `mod` B.length alphabet) count
{-# NOINLINE answer #-}

-- | The alphabet over and over, from the given letter on: copied from the table, piece by piece.
letters :: Int -> Int -> Builder
letters start count
  | count <= B.length piece = byteStringCopy (B.take count piece)
  | otherwise = byteStringCopy piece <> letters 0 (count - B.length piece)
  where
    piece = B.drop start table

alphabet :: ByteString
alphabet = "abcdefghijklmnopqrstuvwxyz"

-- | 160 alphabets, about a page: long enough that a long answer is a few copies of memory, as it is in Java.
table :: ByteString
table = B.concat (replicate 160 alphabet)
{-# NOINLINE table #-}
