{-# LANGUAGE OverloadedStrings #-}

-- | Written by workloads/records/write_types.py.
module Encoders where

import Data.ByteString.Builder (Builder, char7, intDec)
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
  "{\"field01\":" <> intDec f01 <>
    char7 '}'

encode2 :: Fields2 -> Builder
encode2 (Fields2 f01 f02) =
  "{\"field01\":" <> intDec f01 <> ",\"field02\":" <> intDec f02 <>
    char7 '}'

encode5 :: Fields5 -> Builder
encode5 (Fields5 f01 f02 f03 f04 f05) =
  "{\"field01\":" <> intDec f01 <> ",\"field02\":" <> intDec f02 <>
    ",\"field03\":" <> intDec f03 <> ",\"field04\":" <> intDec f04 <> ",\"field05\":" <> intDec f05 <>
    char7 '}'

encode10 :: Fields10 -> Builder
encode10 (Fields10 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10) =
  "{\"field01\":" <> intDec f01 <> ",\"field02\":" <> intDec f02 <>
    ",\"field03\":" <> intDec f03 <> ",\"field04\":" <> intDec f04 <>
    ",\"field05\":" <> intDec f05 <> ",\"field06\":" <> intDec f06 <>
    ",\"field07\":" <> intDec f07 <> ",\"field08\":" <> intDec f08 <>
    ",\"field09\":" <> intDec f09 <> ",\"field10\":" <> intDec f10 <>
    char7 '}'

encode15 :: Fields15 -> Builder
encode15 (Fields15 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10 f11 f12 f13 f14 f15) =
  "{\"field01\":" <> intDec f01 <> ",\"field02\":" <> intDec f02 <>
    ",\"field03\":" <> intDec f03 <> ",\"field04\":" <> intDec f04 <>
    ",\"field05\":" <> intDec f05 <> ",\"field06\":" <> intDec f06 <>
    ",\"field07\":" <> intDec f07 <> ",\"field08\":" <> intDec f08 <>
    ",\"field09\":" <> intDec f09 <> ",\"field10\":" <> intDec f10 <>
    ",\"field11\":" <> intDec f11 <> ",\"field12\":" <> intDec f12 <>
    ",\"field13\":" <> intDec f13 <> ",\"field14\":" <> intDec f14 <> ",\"field15\":" <> intDec f15 <>
    char7 '}'

encode20 :: Fields20 -> Builder
encode20 (Fields20 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20) =
  "{\"field01\":" <> intDec f01 <> ",\"field02\":" <> intDec f02 <>
    ",\"field03\":" <> intDec f03 <> ",\"field04\":" <> intDec f04 <>
    ",\"field05\":" <> intDec f05 <> ",\"field06\":" <> intDec f06 <>
    ",\"field07\":" <> intDec f07 <> ",\"field08\":" <> intDec f08 <>
    ",\"field09\":" <> intDec f09 <> ",\"field10\":" <> intDec f10 <>
    ",\"field11\":" <> intDec f11 <> ",\"field12\":" <> intDec f12 <>
    ",\"field13\":" <> intDec f13 <> ",\"field14\":" <> intDec f14 <>
    ",\"field15\":" <> intDec f15 <> ",\"field16\":" <> intDec f16 <>
    ",\"field17\":" <> intDec f17 <> ",\"field18\":" <> intDec f18 <>
    ",\"field19\":" <> intDec f19 <> ",\"field20\":" <> intDec f20 <>
    char7 '}'

encode25 :: Fields25 -> Builder
encode25 (Fields25 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20 f21 f22 f23 f24
    f25) =
  "{\"field01\":" <> intDec f01 <> ",\"field02\":" <> intDec f02 <>
    ",\"field03\":" <> intDec f03 <> ",\"field04\":" <> intDec f04 <>
    ",\"field05\":" <> intDec f05 <> ",\"field06\":" <> intDec f06 <>
    ",\"field07\":" <> intDec f07 <> ",\"field08\":" <> intDec f08 <>
    ",\"field09\":" <> intDec f09 <> ",\"field10\":" <> intDec f10 <>
    ",\"field11\":" <> intDec f11 <> ",\"field12\":" <> intDec f12 <>
    ",\"field13\":" <> intDec f13 <> ",\"field14\":" <> intDec f14 <>
    ",\"field15\":" <> intDec f15 <> ",\"field16\":" <> intDec f16 <>
    ",\"field17\":" <> intDec f17 <> ",\"field18\":" <> intDec f18 <>
    ",\"field19\":" <> intDec f19 <> ",\"field20\":" <> intDec f20 <>
    ",\"field21\":" <> intDec f21 <> ",\"field22\":" <> intDec f22 <>
    ",\"field23\":" <> intDec f23 <> ",\"field24\":" <> intDec f24 <> ",\"field25\":" <> intDec f25 <>
    char7 '}'

encode35 :: Fields35 -> Builder
encode35 (Fields35 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20 f21 f22 f23 f24
    f25 f26 f27 f28 f29 f30 f31 f32 f33 f34 f35) =
  "{\"field01\":" <> intDec f01 <> ",\"field02\":" <> intDec f02 <>
    ",\"field03\":" <> intDec f03 <> ",\"field04\":" <> intDec f04 <>
    ",\"field05\":" <> intDec f05 <> ",\"field06\":" <> intDec f06 <>
    ",\"field07\":" <> intDec f07 <> ",\"field08\":" <> intDec f08 <>
    ",\"field09\":" <> intDec f09 <> ",\"field10\":" <> intDec f10 <>
    ",\"field11\":" <> intDec f11 <> ",\"field12\":" <> intDec f12 <>
    ",\"field13\":" <> intDec f13 <> ",\"field14\":" <> intDec f14 <>
    ",\"field15\":" <> intDec f15 <> ",\"field16\":" <> intDec f16 <>
    ",\"field17\":" <> intDec f17 <> ",\"field18\":" <> intDec f18 <>
    ",\"field19\":" <> intDec f19 <> ",\"field20\":" <> intDec f20 <>
    ",\"field21\":" <> intDec f21 <> ",\"field22\":" <> intDec f22 <>
    ",\"field23\":" <> intDec f23 <> ",\"field24\":" <> intDec f24 <>
    ",\"field25\":" <> intDec f25 <> ",\"field26\":" <> intDec f26 <>
    ",\"field27\":" <> intDec f27 <> ",\"field28\":" <> intDec f28 <>
    ",\"field29\":" <> intDec f29 <> ",\"field30\":" <> intDec f30 <>
    ",\"field31\":" <> intDec f31 <> ",\"field32\":" <> intDec f32 <>
    ",\"field33\":" <> intDec f33 <> ",\"field34\":" <> intDec f34 <> ",\"field35\":" <> intDec f35 <>
    char7 '}'

encode50 :: Fields50 -> Builder
encode50 (Fields50 f01 f02 f03 f04 f05 f06 f07 f08 f09 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20 f21 f22 f23 f24
    f25 f26 f27 f28 f29 f30 f31 f32 f33 f34 f35 f36 f37 f38 f39 f40 f41 f42 f43 f44 f45 f46 f47 f48
    f49 f50) =
  "{\"field01\":" <> intDec f01 <> ",\"field02\":" <> intDec f02 <>
    ",\"field03\":" <> intDec f03 <> ",\"field04\":" <> intDec f04 <>
    ",\"field05\":" <> intDec f05 <> ",\"field06\":" <> intDec f06 <>
    ",\"field07\":" <> intDec f07 <> ",\"field08\":" <> intDec f08 <>
    ",\"field09\":" <> intDec f09 <> ",\"field10\":" <> intDec f10 <>
    ",\"field11\":" <> intDec f11 <> ",\"field12\":" <> intDec f12 <>
    ",\"field13\":" <> intDec f13 <> ",\"field14\":" <> intDec f14 <>
    ",\"field15\":" <> intDec f15 <> ",\"field16\":" <> intDec f16 <>
    ",\"field17\":" <> intDec f17 <> ",\"field18\":" <> intDec f18 <>
    ",\"field19\":" <> intDec f19 <> ",\"field20\":" <> intDec f20 <>
    ",\"field21\":" <> intDec f21 <> ",\"field22\":" <> intDec f22 <>
    ",\"field23\":" <> intDec f23 <> ",\"field24\":" <> intDec f24 <>
    ",\"field25\":" <> intDec f25 <> ",\"field26\":" <> intDec f26 <>
    ",\"field27\":" <> intDec f27 <> ",\"field28\":" <> intDec f28 <>
    ",\"field29\":" <> intDec f29 <> ",\"field30\":" <> intDec f30 <>
    ",\"field31\":" <> intDec f31 <> ",\"field32\":" <> intDec f32 <>
    ",\"field33\":" <> intDec f33 <> ",\"field34\":" <> intDec f34 <>
    ",\"field35\":" <> intDec f35 <> ",\"field36\":" <> intDec f36 <>
    ",\"field37\":" <> intDec f37 <> ",\"field38\":" <> intDec f38 <>
    ",\"field39\":" <> intDec f39 <> ",\"field40\":" <> intDec f40 <>
    ",\"field41\":" <> intDec f41 <> ",\"field42\":" <> intDec f42 <>
    ",\"field43\":" <> intDec f43 <> ",\"field44\":" <> intDec f44 <>
    ",\"field45\":" <> intDec f45 <> ",\"field46\":" <> intDec f46 <>
    ",\"field47\":" <> intDec f47 <> ",\"field48\":" <> intDec f48 <>
    ",\"field49\":" <> intDec f49 <> ",\"field50\":" <> intDec f50 <>
    char7 '}'
