-- | The records of a case: their values, and how many fields they have.
module Records (records, sizeOfCase) where

import Data.Bits (shiftR, xor)
import Data.Word (Word64)
import Text.Read (readMaybe)

-- | The 64 records of one size.
records :: ((Int -> Int) -> record) -> [record]
records make = [make (value record) | record <- [0 .. 63]]

-- | @25-fields@ is one size of the sweep, @fields@ is the sweep.
sizeOfCase :: String -> Maybe Word64
sizeOfCase = readMaybe . takeWhile (/= '-')

-- | The value of a field of a record, as the workload's page has it.
value :: Int -> Int -> Int
value record field = if z `shiftR` 61 == 0 then negate magnitude else magnitude
  where
    z = splitmix64 (fromIntegral (record * 50 + field))
    digits = 1 + fromIntegral (z `mod` 9) :: Int
    least = if digits == 1 then 0 else 10 ^ (digits - 1)
    magnitude = fromIntegral (least + (z `shiftR` 8) `mod` (10 ^ digits - least))

-- | The output with that number, counted from 0, of the generator seeded with 1.
splitmix64 :: Word64 -> Word64
splitmix64 number = third `xor` (third `shiftR` 31)
  where
    first = 1 + (number + 1) * 0x9E3779B97F4A7C15
    second = (first `xor` (first `shiftR` 30)) * 0xBF58476D1CE4E5B9
    third = (second `xor` (second `shiftR` 27)) * 0x94D049BB133111EB
