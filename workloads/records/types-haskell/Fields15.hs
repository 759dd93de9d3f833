{-# LANGUAGE DeriveGeneric #-}

-- | Written by workloads/records/write_types.py.
module Fields15 (Fields15 (..), fields15) where

import GHC.Generics (Generic)

data Fields15 = Fields15
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
    field15 :: !Int
  }
  deriving (Generic)

-- | Every field is the value of its number.
fields15 :: (Int -> Int) -> Fields15
fields15 value =
  Fields15
    (value 0) (value 1) (value 2) (value 3) (value 4) (value 5) (value 6) (value 7) (value 8)
    (value 9) (value 10) (value 11) (value 12) (value 13) (value 14)
