{-# LANGUAGE DeriveGeneric #-}

-- | Written by workloads/records/write_types.py.
module Fields1 (Fields1 (..), fields1) where

import GHC.Generics (Generic)

data Fields1 = Fields1
  {
    field01 :: !Int
  }
  deriving (Generic)

-- | Every field is the value of its number.
fields1 :: (Int -> Int) -> Fields1
fields1 value =
  Fields1
    (value 0)
