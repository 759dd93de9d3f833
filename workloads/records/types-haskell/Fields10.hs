{-# LANGUAGE DeriveGeneric #-}

-- | Written by workloads/records/write_types.py.
module Fields10 (Fields10 (..), fields10) where

import GHC.Generics (Generic)

data Fields10 = Fields10
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
    field10 :: !Int
  }
  deriving (Generic)

-- | Every field is the value of its number.
fields10 :: (Int -> Int) -> Fields10
fields10 value =
  Fields10
    (value 0) (value 1) (value 2) (value 3) (value 4) (value 5) (value 6) (value 7) (value 8)
    (value 9)
