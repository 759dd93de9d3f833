//! Written by workloads/records/write_types.py.

/// Hands each size of record to a macro: its size, its type, its fields.
#[macro_export]
macro_rules! each_size {
    ($then:ident) => {
        $then! {
            1 Fields1
            field01
        }
        $then! {
            2 Fields2
            field01 field02
        }
        $then! {
            5 Fields5
            field01 field02 field03 field04 field05
        }
        $then! {
            10 Fields10
            field01 field02 field03 field04 field05 field06 field07 field08 field09 field10
        }
        $then! {
            15 Fields15
            field01 field02 field03 field04 field05 field06 field07 field08 field09 field10 field11
            field12 field13 field14 field15
        }
        $then! {
            20 Fields20
            field01 field02 field03 field04 field05 field06 field07 field08 field09 field10 field11
            field12 field13 field14 field15 field16 field17 field18 field19 field20
        }
        $then! {
            25 Fields25
            field01 field02 field03 field04 field05 field06 field07 field08 field09 field10 field11
            field12 field13 field14 field15 field16 field17 field18 field19 field20 field21 field22
            field23 field24 field25
        }
        $then! {
            35 Fields35
            field01 field02 field03 field04 field05 field06 field07 field08 field09 field10 field11
            field12 field13 field14 field15 field16 field17 field18 field19 field20 field21 field22
            field23 field24 field25 field26 field27 field28 field29 field30 field31 field32 field33
            field34 field35
        }
        $then! {
            50 Fields50
            field01 field02 field03 field04 field05 field06 field07 field08 field09 field10 field11
            field12 field13 field14 field15 field16 field17 field18 field19 field20 field21 field22
            field23 field24 field25 field26 field27 field28 field29 field30 field31 field32 field33
            field34 field35 field36 field37 field38 field39 field40 field41 field42 field43 field44
            field45 field46 field47 field48 field49 field50
        }
    };
}
