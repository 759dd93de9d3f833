{-# LANGUAGE DeriveGeneric #-}

-- | Written by workloads/records/write_types.py.
module Fields5 (Fields5 (..), fields5) where

import GHC.Generics (Generic)

data Fields5 = Fields5
  {
    field01 :: !Int,
    field02 :: !Int,
    field03 :: !Int,
    field04 :: !Int,
    field05 :: !Int
  }
  deriving (Generic)

-- | Every field is the value of its number.
fields5 :: (Int -> Int) -> Fields5
fields5 value =
  Fields5
    (value 0) (value 1) (value 2) (value 3) (value 4)
