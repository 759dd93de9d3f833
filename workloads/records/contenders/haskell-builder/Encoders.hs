{-# LANGUAGE OverloadedStrings #-}

-- | Written by workloads/records/write_types.py.
module Encoders where

import Data.ByteString.Builder (Builder, char7)
import Field (field)
import Fields1
import Fields2
import Fields5
import Fields10
import Fields15
import Fields20
import Fields25
import Fields35
import Fields50

encode1 :: Fields1 -> Builder
encode1 (Fields1 f01) =
  field "{\"field01\":" f01 <>
    char7 '}'

encode2 :: Fields2 -> Builder
encode2 (Fields2 f01 f02) =
  field "{\"field01\":" f01 <> field ",\"field02\":" f02 <>
    char7 '}'

encode5 :: Fields5 -> Builder
encode5 (Fields5 f01 f02 f03 f04 f05) =
  field "{\"field01\":" f01 <> field ",\"field02\":" f02 <> field ",\"field03\":" f03 <>
    field ",\"field04\":" f04 <> field ",\"field05\":" f05 <>
    char7 '}'

encode10 :: Fields10 -> Builder
encode10 (Fields10 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10) =
  field "{\"field01\":" f01 <> field ",\"field02\":" f02 <> field ",\"field03\":" f03 <>
    field ",\"field04\":" f04 <> field ",\"field05\":" f05 <> field ",\"field06\":" f06 <>
    field ",\"field07\":" f07 <> field ",\"field08\":" f08 <> field ",\"field09\":" f09 <>
    field ",\"field10\":" f10 <>
    char7 '}'

encode15 :: Fields15 -> Builder
encode15 (Fields15 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10 f11 f12 f13 f14 f15) =
  field "{\"field01\":" f01 <> field ",\"field02\":" f02 <> field ",\"field03\":" f03 <>
    field ",\"field04\":" f04 <> field ",\"field05\":" f05 <> field ",\"field06\":" f06 <>
    field ",\"field07\":" f07 <> field ",\"field08\":" f08 <> field ",\"field09\":" f09 <>
    field ",\"field10\":" f10 <> field ",\"field11\":" f11 <> field ",\"field12\":" f12 <>
    field ",\"field13\":" f13 <> field ",\"field14\":" f14 <> field ",\"field15\":" f15 <>
    char7 '}'

encode20 :: Fields20 -> Builder
encode20 (Fields20 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20) =
  field "{\"field01\":" f01 <> field ",\"field02\":" f02 <> field ",\"field03\":" f03 <>
    field ",\"field04\":" f04 <> field ",\"field05\":" f05 <> field ",\"field06\":" f06 <>
    field ",\"field07\":" f07 <> field ",\"field08\":" f08 <> field ",\"field09\":" f09 <>
    field ",\"field10\":" f10 <> field ",\"field11\":" f11 <> field ",\"field12\":" f12 <>
    field ",\"field13\":" f13 <> field ",\"field14\":" f14 <> field ",\"field15\":" f15 <>
    field ",\"field16\":" f16 <> field ",\"field17\":" f17 <> field ",\"field18\":" f18 <>
    field ",\"field19\":" f19 <> field ",\"field20\":" f20 <>
    char7 '}'

encode25 :: Fields25 -> Builder
encode25 (Fields25 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20 f21 f22 f23 f24
    f25) =
  field "{\"field01\":" f01 <> field ",\"field02\":" f02 <> field ",\"field03\":" f03 <>
    field ",\"field04\":" f04 <> field ",\"field05\":" f05 <> field ",\"field06\":" f06 <>
    field ",\"field07\":" f07 <> field ",\"field08\":" f08 <> field ",\"field09\":" f09 <>
    field ",\"field10\":" f10 <> field ",\"field11\":" f11 <> field ",\"field12\":" f12 <>
    field ",\"field13\":" f13 <> field ",\"field14\":" f14 <> field ",\"field15\":" f15 <>
    field ",\"field16\":" f16 <> field ",\"field17\":" f17 <> field ",\"field18\":" f18 <>
    field ",\"field19\":" f19 <> field ",\"field20\":" f20 <> field ",\"field21\":" f21 <>
    field ",\"field22\":" f22 <> field ",\"field23\":" f23 <> field ",\"field24\":" f24 <>
    field ",\"field25\":" f25 <>
    char7 '}'

encode35 :: Fields35 -> Builder
encode35 (Fields35 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20 f21 f22 f23 f24
    f25 f26 f27 f28 f29 f30 f31 f32 f33 f34 f35) =
  field "{\"field01\":" f01 <> field ",\"field02\":" f02 <> field ",\"field03\":" f03 <>
    field ",\"field04\":" f04 <> field ",\"field05\":" f05 <> field ",\"field06\":" f06 <>
    field ",\"field07\":" f07 <> field ",\"field08\":" f08 <> field ",\"field09\":" f09 <>
    field ",\"field10\":" f10 <> field ",\"field11\":" f11 <> field ",\"field12\":" f12 <>
    field ",\"field13\":" f13 <> field ",\"field14\":" f14 <> field ",\"field15\":" f15 <>
    field ",\"field16\":" f16 <> field ",\"field17\":" f17 <> field ",\"field18\":" f18 <>
    field ",\"field19\":" f19 <> field ",\"field20\":" f20 <> field ",\"field21\":" f21 <>
    field ",\"field22\":" f22 <> field ",\"field23\":" f23 <> field ",\"field24\":" f24 <>
    field ",\"field25\":" f25 <> field ",\"field26\":" f26 <> field ",\"field27\":" f27 <>
    field ",\"field28\":" f28 <> field ",\"field29\":" f29 <> field ",\"field30\":" f30 <>
    field ",\"field31\":" f31 <> field ",\"field32\":" f32 <> field ",\"field33\":" f33 <>
    field ",\"field34\":" f34 <> field ",\"field35\":" f35 <>
    char7 '}'

encode50 :: Fields50 -> Builder
encode50 (Fields50 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20 f21 f22 f23 f24
    f25 f26 f27 f28 f29 f30 f31 f32 f33 f34 f35 f36 f37 f38 f39 f40 f41 f42 f43 f44 f45 f46 f47 f48
    f49 f50) =
  field "{\"field01\":" f01 <> field ",\"field02\":" f02 <> field ",\"field03\":" f03 <>
    field ",\"field04\":" f04 <> field ",\"field05\":" f05 <> field ",\"field06\":" f06 <>
    field ",\"field07\":" f07 <> field ",\"field08\":" f08 <> field ",\"field09\":" f09 <>
    field ",\"field10\":" f10 <> field ",\"field11\":" f11 <> field ",\"field12\":" f12 <>
    field ",\"field13\":" f13 <> field ",\"field14\":" f14 <> field ",\"field15\":" f15 <>
    field ",\"field16\":" f16 <> field ",\"field17\":" f17 <> field ",\"field18\":" f18 <>
    field ",\"field19\":" f19 <> field ",\"field20\":" f20 <> field ",\"field21\":" f21 <>
    field ",\"field22\":" f22 <> field ",\"field23\":" f23 <> field ",\"field24\":" f24 <>
    field ",\"field25\":" f25 <> field ",\"field26\":" f26 <> field ",\"field27\":" f27 <>
    field ",\"field28\":" f28 <> field ",\"field29\":" f29 <> field ",\"field30\":" f30 <>
    field ",\"field31\":" f31 <> field ",\"field32\":" f32 <> field ",\"field33\":" f33 <>
    field ",\"field34\":" f34 <> field ",\"field35\":" f35 <> field ",\"field36\":" f36 <>
    field ",\"field37\":" f37 <> field ",\"field38\":" f38 <> field ",\"field39\":" f39 <>
    field ",\"field40\":" f40 <> field ",\"field41\":" f41 <> field ",\"field42\":" f42 <>
    field ",\"field43\":" f43 <> field ",\"field44\":" f44 <> field ",\"field45\":" f45 <>
    field ",\"field46\":" f46 <> field ",\"field47\":" f47 <> field ",\"field48\":" f48 <>
    field ",\"field49\":" f49 <> field ",\"field50\":" f50 <>
    char7 '}'
