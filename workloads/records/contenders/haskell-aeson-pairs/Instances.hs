{-# LANGUAGE OverloadedStrings #-}
{-# OPTIONS_GHC -Wno-orphans #-}

-- | Written by workloads/records/write_types.py.
module Instances where

import Data.Aeson (ToJSON (..), object, pairs, (.=))
import Fields1
import Fields2
import Fields5
import Fields10
import Fields15
import Fields20
import Fields25
import Fields35
import Fields50

instance ToJSON Fields1 where
  toEncoding (Fields1 f01) =
    pairs (
      "field01" .= f01)
  toJSON (Fields1 f01) =
    object [
      "field01" .= f01]

instance ToJSON Fields2 where
  toEncoding (Fields2 f01 f02) =
    pairs (
      "field01" .= f01 <> "field02" .= f02)
  toJSON (Fields2 f01 f02) =
    object [
      "field01" .= f01, "field02" .= f02]

instance ToJSON Fields5 where
  toEncoding (Fields5 f01 f02 f03 f04 f05) =
    pairs (
      "field01" .= f01 <> "field02" .= f02 <> "field03" .= f03 <> "field04" .= f04 <>
      "field05" .= f05)
  toJSON (Fields5 f01 f02 f03 f04 f05) =
    object [
      "field01" .= f01, "field02" .= f02, "field03" .= f03, "field04" .= f04, "field05" .= f05]

instance ToJSON Fields10 where
  toEncoding (Fields10 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10) =
    pairs (
      "field01" .= f01 <> "field02" .= f02 <> "field03" .= f03 <> "field04" .= f04 <>
      "field05" .= f05 <> "field06" .= f06 <> "field07" .= f07 <> "field08" .= f08 <>
      "field09" .= f09 <> "field10" .= f10)
  toJSON (Fields10 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10) =
    object [
      "field01" .= f01, "field02" .= f02, "field03" .= f03, "field04" .= f04, "field05" .= f05,
      "field06" .= f06, "field07" .= f07, "field08" .= f08, "field09" .= f09, "field10" .= f10]

instance ToJSON Fields15 where
  toEncoding (Fields15 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10 f11 f12 f13 f14 f15) =
    pairs (
      "field01" .= f01 <> "field02" .= f02 <> "field03" .= f03 <> "field04" .= f04 <>
      "field05" .= f05 <> "field06" .= f06 <> "field07" .= f07 <> "field08" .= f08 <>
      "field09" .= f09 <> "field10" .= f10 <> "field11" .= f11 <> "field12" .= f12 <>
      "field13" .= f13 <> "field14" .= f14 <> "field15" .= f15)
  toJSON (Fields15 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10 f11 f12 f13 f14 f15) =
    object [
      "field01" .= f01, "field02" .= f02, "field03" .= f03, "field04" .= f04, "field05" .= f05,
      "field06" .= f06, "field07" .= f07, "field08" .= f08, "field09" .= f09, "field10" .= f10,
      "field11" .= f11, "field12" .= f12, "field13" .= f13, "field14" .= f14, "field15" .= f15]

instance ToJSON Fields20 where
  toEncoding (Fields20 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20) =
    pairs (
      "field01" .= f01 <> "field02" .= f02 <> "field03" .= f03 <> "field04" .= f04 <>
      "field05" .= f05 <> "field06" .= f06 <> "field07" .= f07 <> "field08" .= f08 <>
      "field09" .= f09 <> "field10" .= f10 <> "field11" .= f11 <> "field12" .= f12 <>
      "field13" .= f13 <> "field14" .= f14 <> "field15" .= f15 <> "field16" .= f16 <>
      "field17" .= f17 <> "field18" .= f18 <> "field19" .= f19 <> "field20" .= f20)
  toJSON (Fields20 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20) =
    object [
      "field01" .= f01, "field02" .= f02, "field03" .= f03, "field04" .= f04, "field05" .= f05,
      "field06" .= f06, "field07" .= f07, "field08" .= f08, "field09" .= f09, "field10" .= f10,
      "field11" .= f11, "field12" .= f12, "field13" .= f13, "field14" .= f14, "field15" .= f15,
      "field16" .= f16, "field17" .= f17, "field18" .= f18, "field19" .= f19, "field20" .= f20]

instance ToJSON Fields25 where
  toEncoding (Fields25 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20 f21 f22 f23 f24
    f25) =
    pairs (
      "field01" .= f01 <> "field02" .= f02 <> "field03" .= f03 <> "field04" .= f04 <>
      "field05" .= f05 <> "field06" .= f06 <> "field07" .= f07 <> "field08" .= f08 <>
      "field09" .= f09 <> "field10" .= f10 <> "field11" .= f11 <> "field12" .= f12 <>
      "field13" .= f13 <> "field14" .= f14 <> "field15" .= f15 <> "field16" .= f16 <>
      "field17" .= f17 <> "field18" .= f18 <> "field19" .= f19 <> "field20" .= f20 <>
      "field21" .= f21 <> "field22" .= f22 <> "field23" .= f23 <> "field24" .= f24 <>
      "field25" .= f25)
  toJSON (Fields25 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20 f21 f22 f23 f24
    f25) =
    object [
      "field01" .= f01, "field02" .= f02, "field03" .= f03, "field04" .= f04, "field05" .= f05,
      "field06" .= f06, "field07" .= f07, "field08" .= f08, "field09" .= f09, "field10" .= f10,
      "field11" .= f11, "field12" .= f12, "field13" .= f13, "field14" .= f14, "field15" .= f15,
      "field16" .= f16, "field17" .= f17, "field18" .= f18, "field19" .= f19, "field20" .= f20,
      "field21" .= f21, "field22" .= f22, "field23" .= f23, "field24" .= f24, "field25" .= f25]

instance ToJSON Fields35 where
  toEncoding (Fields35 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20 f21 f22 f23 f24
    f25 f26 f27 f28 f29 f30 f31 f32 f33 f34 f35) =
    pairs (
      "field01" .= f01 <> "field02" .= f02 <> "field03" .= f03 <> "field04" .= f04 <>
      "field05" .= f05 <> "field06" .= f06 <> "field07" .= f07 <> "field08" .= f08 <>
      "field09" .= f09 <> "field10" .= f10 <> "field11" .= f11 <> "field12" .= f12 <>
      "field13" .= f13 <> "field14" .= f14 <> "field15" .= f15 <> "field16" .= f16 <>
      "field17" .= f17 <> "field18" .= f18 <> "field19" .= f19 <> "field20" .= f20 <>
      "field21" .= f21 <> "field22" .= f22 <> "field23" .= f23 <> "field24" .= f24 <>
      "field25" .= f25 <> "field26" .= f26 <> "field27" .= f27 <> "field28" .= f28 <>
      "field29" .= f29 <> "field30" .= f30 <> "field31" .= f31 <> "field32" .= f32 <>
      "field33" .= f33 <> "field34" .= f34 <> "field35" .= f35)
  toJSON (Fields35 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20 f21 f22 f23 f24
    f25 f26 f27 f28 f29 f30 f31 f32 f33 f34 f35) =
    object [
      "field01" .= f01, "field02" .= f02, "field03" .= f03, "field04" .= f04, "field05" .= f05,
      "field06" .= f06, "field07" .= f07, "field08" .= f08, "field09" .= f09, "field10" .= f10,
      "field11" .= f11, "field12" .= f12, "field13" .= f13, "field14" .= f14, "field15" .= f15,
      "field16" .= f16, "field17" .= f17, "field18" .= f18, "field19" .= f19, "field20" .= f20,
      "field21" .= f21, "field22" .= f22, "field23" .= f23, "field24" .= f24, "field25" .= f25,
      "field26" .= f26, "field27" .= f27, "field28" .= f28, "field29" .= f29, "field30" .= f30,
      "field31" .= f31, "field32" .= f32, "field33" .= f33, "field34" .= f34, "field35" .= f35]

instance ToJSON Fields50 where
  toEncoding (Fields50 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20 f21 f22 f23 f24
    f25 f26 f27 f28 f29 f30 f31 f32 f33 f34 f35 f36 f37 f38 f39 f40 f41 f42 f43 f44 f45 f46 f47 f48
    f49 f50) =
    pairs (
      "field01" .= f01 <> "field02" .= f02 <> "field03" .= f03 <> "field04" .= f04 <>
      "field05" .= f05 <> "field06" .= f06 <> "field07" .= f07 <> "field08" .= f08 <>
      "field09" .= f09 <> "field10" .= f10 <> "field11" .= f11 <> "field12" .= f12 <>
      "field13" .= f13 <> "field14" .= f14 <> "field15" .= f15 <> "field16" .= f16 <>
      "field17" .= f17 <> "field18" .= f18 <> "field19" .= f19 <> "field20" .= f20 <>
      "field21" .= f21 <> "field22" .= f22 <> "field23" .= f23 <> "field24" .= f24 <>
      "field25" .= f25 <> "field26" .= f26 <> "field27" .= f27 <> "field28" .= f28 <>
      "field29" .= f29 <> "field30" .= f30 <> "field31" .= f31 <> "field32" .= f32 <>
      "field33" .= f33 <> "field34" .= f34 <> "field35" .= f35 <> "field36" .= f36 <>
      "field37" .= f37 <> "field38" .= f38 <> "field39" .= f39 <> "field40" .= f40 <>
      "field41" .= f41 <> "field42" .= f42 <> "field43" .= f43 <> "field44" .= f44 <>
      "field45" .= f45 <> "field46" .= f46 <> "field47" .= f47 <> "field48" .= f48 <>
      "field49" .= f49 <> "field50" .= f50)
  toJSON (Fields50 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20 f21 f22 f23 f24
    f25 f26 f27 f28 f29 f30 f31 f32 f33 f34 f35 f36 f37 f38 f39 f40 f41 f42 f43 f44 f45 f46 f47 f48
    f49 f50) =
    object [
      "field01" .= f01, "field02" .= f02, "field03" .= f03, "field04" .= f04, "field05" .= f05,
      "field06" .= f06, "field07" .= f07, "field08" .= f08, "field09" .= f09, "field10" .= f10,
      "field11" .= f11, "field12" .= f12, "field13" .= f13, "field14" .= f14, "field15" .= f15,
      "field16" .= f16, "field17" .= f17, "field18" .= f18, "field19" .= f19, "field20" .= f20,
      "field21" .= f21, "field22" .= f22, "field23" .= f23, "field24" .= f24, "field25" .= f25,
      "field26" .= f26, "field27" .= f27, "field28" .= f28, "field29" .= f29, "field30" .= f30,
      "field31" .= f31, "field32" .= f32, "field33" .= f33, "field34" .= f34, "field35" .= f35,
      "field36" .= f36, "field37" .= f37, "field38" .= f38, "field39" .= f39, "field40" .= f40,
      "field41" .= f41, "field42" .= f42, "field43" .= f43, "field44" .= f44, "field45" .= f45,
      "field46" .= f46, "field47" .= f47, "field48" .= f48, "field49" .= f49, "field50" .= f50]
