{-# LANGUAGE DeriveGeneric #-}

-- | Written by workloads/records/write_types.py.
module Fields20 (Fields20 (..), fields20) where

import GHC.Generics (Generic)

data Fields20 = Fields20
  {
    field01 :: !Int,
    field02 :: !Int,
    field03 :: !Int,
    field04 :: !Int,
    field05 :: !Int,
    field06 :: !Int,
    field07 :: !Int,
    field08 :: !Int,
    field09 :: !Int,
    field10 :: !Int,
    field11 :: !Int,
    field12 :: !Int,
    field13 :: !Int,
    field14 :: !Int,
    field15 :: !Int,
    field16 :: !Int,
    field17 :: !Int,
    field18 :: !Int,
    field19 :: !Int,
    field20 :: !Int
  }
  deriving (Generic)

-- | Every field is the value of its number.
fields20 :: (Int -> Int) -> Fields20
fields20 value =
  Fields20
    (value 0) (value 1) (value 2) (value 3) (value 4) (value 5) (value 6) (value 7) (value 8)
    (value 9) (value 10) (value 11) (value 12) (value 13) (value 14) (value 15) (value 16)
    (value 17) (value 18) (value 19)
