{-# LANGUAGE DeriveGeneric #-}

-- | Written by workloads/records/write_types.py.
module Fields50 (Fields50 (..), fields50) where

import GHC.Generics (Generic)

data Fields50 = Fields50
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
    field20 :: !Int,
    field21 :: !Int,
    field22 :: !Int,
    field23 :: !Int,
    field24 :: !Int,
    field25 :: !Int,
    field26 :: !Int,
    field27 :: !Int,
    field28 :: !Int,
    field29 :: !Int,
    field30 :: !Int,
    field31 :: !Int,
    field32 :: !Int,
    field33 :: !Int,
    field34 :: !Int,
    field35 :: !Int,
    field36 :: !Int,
    field37 :: !Int,
    field38 :: !Int,
    field39 :: !Int,
    field40 :: !Int,
    field41 :: !Int,
    field42 :: !Int,
    field43 :: !Int,
    field44 :: !Int,
    field45 :: !Int,
    field46 :: !Int,
    field47 :: !Int,
    field48 :: !Int,
    field49 :: !Int,
    field50 :: !Int
  }
  deriving (Generic)

-- | Every field is the value of its number.
fields50 :: (Int -> Int) -> Fields50
fields50 value =
  Fields50
    (value 0) (value 1) (value 2) (value 3) (value 4) (value 5) (value 6) (value 7) (value 8)
    (value 9) (value 10) (value 11) (value 12) (value 13) (value 14) (value 15) (value 16)
    (value 17) (value 18) (value 19) (value 20) (value 21) (value 22) (value 23) (value 24)
    (value 25) (value 26) (value 27) (value 28) (value 29) (value 30) (value 31) (value 32)
    (value 33) (value 34) (value 35) (value 36) (value 37) (value 38) (value 39) (value 40)
    (value 41) (value 42) (value 43) (value 44) (value 45) (value 46) (value 47) (value 48)
    (value 49)
