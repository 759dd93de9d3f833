'use strict';
// Written by workloads/records/write_types.py.

// By size: from a record to its text.
module.exports = {
  1: (r) =>
    `{"field01":${r.field01}` +
    '}',
  2: (r) =>
    `{"field01":${r.field01}` +
    `,"field02":${r.field02}` +
    '}',
  5: (r) =>
    `{"field01":${r.field01}` +
    `,"field02":${r.field02}` +
    `,"field03":${r.field03}` +
    `,"field04":${r.field04}` +
    `,"field05":${r.field05}` +
    '}',
  10: (r) =>
    `{"field01":${r.field01}` +
    `,"field02":${r.field02}` +
    `,"field03":${r.field03}` +
    `,"field04":${r.field04}` +
    `,"field05":${r.field05}` +
    `,"field06":${r.field06}` +
    `,"field07":${r.field07}` +
    `,"field08":${r.field08}` +
    `,"field09":${r.field09}` +
    `,"field10":${r.field10}` +
    '}',
  15: (r) =>
    `{"field01":${r.field01}` +
    `,"field02":${r.field02}` +
    `,"field03":${r.field03}` +
    `,"field04":${r.field04}` +
    `,"field05":${r.field05}` +
    `,"field06":${r.field06}` +
    `,"field07":${r.field07}` +
    `,"field08":${r.field08}` +
    `,"field09":${r.field09}` +
    `,"field10":${r.field10}` +
    `,"field11":${r.field11}` +
    `,"field12":${r.field12}` +
    `,"field13":${r.field13}` +
    `,"field14":${r.field14}` +
    `,"field15":${r.field15}` +
    '}',
  20: (r) =>
    `{"field01":${r.field01}` +
    `,"field02":${r.field02}` +
    `,"field03":${r.field03}` +
    `,"field04":${r.field04}` +
    `,"field05":${r.field05}` +
    `,"field06":${r.field06}` +
    `,"field07":${r.field07}` +
    `,"field08":${r.field08}` +
    `,"field09":${r.field09}` +
    `,"field10":${r.field10}` +
    `,"field11":${r.field11}` +
    `,"field12":${r.field12}` +
    `,"field13":${r.field13}` +
    `,"field14":${r.field14}` +
    `,"field15":${r.field15}` +
    `,"field16":${r.field16}` +
    `,"field17":${r.field17}` +
    `,"field18":${r.field18}` +
    `,"field19":${r.field19}` +
    `,"field20":${r.field20}` +
    '}',
  25: (r) =>
    `{"field01":${r.field01}` +
    `,"field02":${r.field02}` +
    `,"field03":${r.field03}` +
    `,"field04":${r.field04}` +
    `,"field05":${r.field05}` +
    `,"field06":${r.field06}` +
    `,"field07":${r.field07}` +
    `,"field08":${r.field08}` +
    `,"field09":${r.field09}` +
    `,"field10":${r.field10}` +
    `,"field11":${r.field11}` +
    `,"field12":${r.field12}` +
    `,"field13":${r.field13}` +
    `,"field14":${r.field14}` +
    `,"field15":${r.field15}` +
    `,"field16":${r.field16}` +
    `,"field17":${r.field17}` +
    `,"field18":${r.field18}` +
    `,"field19":${r.field19}` +
    `,"field20":${r.field20}` +
    `,"field21":${r.field21}` +
    `,"field22":${r.field22}` +
    `,"field23":${r.field23}` +
    `,"field24":${r.field24}` +
    `,"field25":${r.field25}` +
    '}',
  35: (r) =>
    `{"field01":${r.field01}` +
    `,"field02":${r.field02}` +
    `,"field03":${r.field03}` +
    `,"field04":${r.field04}` +
    `,"field05":${r.field05}` +
    `,"field06":${r.field06}` +
    `,"field07":${r.field07}` +
    `,"field08":${r.field08}` +
    `,"field09":${r.field09}` +
    `,"field10":${r.field10}` +
    `,"field11":${r.field11}` +
    `,"field12":${r.field12}` +
    `,"field13":${r.field13}` +
    `,"field14":${r.field14}` +
    `,"field15":${r.field15}` +
    `,"field16":${r.field16}` +
    `,"field17":${r.field17}` +
    `,"field18":${r.field18}` +
    `,"field19":${r.field19}` +
    `,"field20":${r.field20}` +
    `,"field21":${r.field21}` +
    `,"field22":${r.field22}` +
    `,"field23":${r.field23}` +
    `,"field24":${r.field24}` +
    `,"field25":${r.field25}` +
    `,"field26":${r.field26}` +
    `,"field27":${r.field27}` +
    `,"field28":${r.field28}` +
    `,"field29":${r.field29}` +
    `,"field30":${r.field30}` +
    `,"field31":${r.field31}` +
    `,"field32":${r.field32}` +
    `,"field33":${r.field33}` +
    `,"field34":${r.field34}` +
    `,"field35":${r.field35}` +
    '}',
  50: (r) =>
    `{"field01":${r.field01}` +
    `,"field02":${r.field02}` +
    `,"field03":${r.field03}` +
    `,"field04":${r.field04}` +
    `,"field05":${r.field05}` +
    `,"field06":${r.field06}` +
    `,"field07":${r.field07}` +
    `,"field08":${r.field08}` +
    `,"field09":${r.field09}` +
    `,"field10":${r.field10}` +
    `,"field11":${r.field11}` +
    `,"field12":${r.field12}` +
    `,"field13":${r.field13}` +
    `,"field14":${r.field14}` +
    `,"field15":${r.field15}` +
    `,"field16":${r.field16}` +
    `,"field17":${r.field17}` +
    `,"field18":${r.field18}` +
    `,"field19":${r.field19}` +
    `,"field20":${r.field20}` +
    `,"field21":${r.field21}` +
    `,"field22":${r.field22}` +
    `,"field23":${r.field23}` +
    `,"field24":${r.field24}` +
    `,"field25":${r.field25}` +
    `,"field26":${r.field26}` +
    `,"field27":${r.field27}` +
    `,"field28":${r.field28}` +
    `,"field29":${r.field29}` +
    `,"field30":${r.field30}` +
    `,"field31":${r.field31}` +
    `,"field32":${r.field32}` +
    `,"field33":${r.field33}` +
    `,"field34":${r.field34}` +
    `,"field35":${r.field35}` +
    `,"field36":${r.field36}` +
    `,"field37":${r.field37}` +
    `,"field38":${r.field38}` +
    `,"field39":${r.field39}` +
    `,"field40":${r.field40}` +
    `,"field41":${r.field41}` +
    `,"field42":${r.field42}` +
    `,"field43":${r.field43}` +
    `,"field44":${r.field44}` +
    `,"field45":${r.field45}` +
    `,"field46":${r.field46}` +
    `,"field47":${r.field47}` +
    `,"field48":${r.field48}` +
    `,"field49":${r.field49}` +
    `,"field50":${r.field50}` +
    '}',
};
