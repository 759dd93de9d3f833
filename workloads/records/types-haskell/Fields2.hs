{-# LANGUAGE DeriveGeneric #-}

-- | Written by workloads/records/write_types.py.
module Fields2 (Fields2 (..), fields2) where

import GHC.Generics (Generic)

data Fields2 = Fields2
  {
    field01 :: !Int,
    field02 :: !Int
  }
  deriving (Generic)

-- | Every field is the value of its number.
fields2 :: (Int -> Int) -> Fields2
fields2 value =
  Fields2
    (value 0) (value 1)
