'use strict';
// Written by workloads/records/write_types.py.

// By size: from the values of its fields by number to a record.
module.exports = {
  1: (value) => ({
    field01: value(0),
  }),
  2: (value) => ({
    field01: value(0), field02: value(1),
  }),
  5: (value) => ({
    field01: value(0), field02: value(1), field03: value(2), field04: value(3), field05: value(4),
  }),
  10: (value) => ({
    field01: value(0), field02: value(1), field03: value(2), field04: value(3), field05: value(4),
    field06: value(5), field07: value(6), field08: value(7), field09: value(8), field10: value(9),
  }),
  15: (value) => ({
    field01: value(0), field02: value(1), field03: value(2), field04: value(3), field05: value(4),
    field06: value(5), field07: value(6), field08: value(7), field09: value(8), field10: value(9),
    field11: value(10), field12: value(11), field13: value(12), field14: value(13),
    field15: value(14),
  }),
  20: (value) => ({
    field01: value(0), field02: value(1), field03: value(2), field04: value(3), field05: value(4),
    field06: value(5), field07: value(6), field08: value(7), field09: value(8), field10: value(9),
    field11: value(10), field12: value(11), field13: value(12), field14: value(13),
    field15: value(14), field16: value(15), field17: value(16), field18: value(17),
    field19: value(18), field20: value(19),
  }),
  25: (value) => ({
    field01: value(0), field02: value(1), field03: value(2), field04: value(3), field05: value(4),
    field06: value(5), field07: value(6), field08: value(7), field09: value(8), field10: value(9),
    field11: value(10), field12: value(11), field13: value(12), field14: value(13),
    field15: value(14), field16: value(15), field17: value(16), field18: value(17),
    field19: value(18), field20: value(19), field21: value(20), field22: value(21),
    field23: value(22), field24: value(23), field25: value(24),
  }),
  35: (value) => ({
    field01: value(0), field02: value(1), field03: value(2), field04: value(3), field05: value(4),
    field06: value(5), field07: value(6), field08: value(7), field09: value(8), field10: value(9),
    field11: value(10), field12: value(11), field13: value(12), field14: value(13),
    field15: value(14), field16: value(15), field17: value(16), field18: value(17),
    field19: value(18), field20: value(19), field21: value(20), field22: value(21),
    field23: value(22), field24: value(23), field25: value(24), field26: value(25),
    field27: value(26), field28: value(27), field29: value(28), field30: value(29),
    field31: value(30), field32: value(31), field33: value(32), field34: value(33),
    field35: value(34),
  }),
  50: (value) => ({
    field01: value(0), field02: value(1), field03: value(2), field04: value(3), field05: value(4),
    field06: value(5), field07: value(6), field08: value(7), field09: value(8), field10: value(9),
    field11: value(10), field12: value(11), field13: value(12), field14: value(13),
    field15: value(14), field16: value(15), field17: value(16), field18: value(17),
    field19: value(18), field20: value(19), field21: value(20), field22: value(21),
    field23: value(22), field24: value(23), field25: value(24), field26: value(25),
    field27: value(26), field28: value(27), field29: value(28), field30: value(29),
    field31: value(30), field32: value(31), field33: value(32), field34: value(33),
    field35: value(34), field36: value(35), field37: value(36), field38: value(37),
    field39: value(38), field40: value(39), field41: value(40), field42: value(41),
    field43: value(42), field44: value(43), field45: value(44), field46: value(45),
    field47: value(46), field48: value(47), field49: value(48), field50: value(49),
  }),
};
