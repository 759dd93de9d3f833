"""Written by workloads/records/write_types.py."""


def encode1(r):
    return (
        f'{{"field01":{r["field01"]}'
        '}'
    ).encode()


def encode2(r):
    return (
        f'{{"field01":{r["field01"]}'
        f',"field02":{r["field02"]}'
        '}'
    ).encode()


def encode5(r):
    return (
        f'{{"field01":{r["field01"]}'
        f',"field02":{r["field02"]}'
        f',"field03":{r["field03"]}'
        f',"field04":{r["field04"]}'
        f',"field05":{r["field05"]}'
        '}'
    ).encode()


def encode10(r):
    return (
        f'{{"field01":{r["field01"]}'
        f',"field02":{r["field02"]}'
        f',"field03":{r["field03"]}'
        f',"field04":{r["field04"]}'
        f',"field05":{r["field05"]}'
        f',"field06":{r["field06"]}'
        f',"field07":{r["field07"]}'
        f',"field08":{r["field08"]}'
        f',"field09":{r["field09"]}'
        f',"field10":{r["field10"]}'
        '}'
    ).encode()


def encode15(r):
    return (
        f'{{"field01":{r["field01"]}'
        f',"field02":{r["field02"]}'
        f',"field03":{r["field03"]}'
        f',"field04":{r["field04"]}'
        f',"field05":{r["field05"]}'
        f',"field06":{r["field06"]}'
        f',"field07":{r["field07"]}'
        f',"field08":{r["field08"]}'
        f',"field09":{r["field09"]}'
        f',"field10":{r["field10"]}'
        f',"field11":{r["field11"]}'
        f',"field12":{r["field12"]}'
        f',"field13":{r["field13"]}'
        f',"field14":{r["field14"]}'
        f',"field15":{r["field15"]}'
        '}'
    ).encode()


def encode20(r):
    return (
        f'{{"field01":{r["field01"]}'
        f',"field02":{r["field02"]}'
        f',"field03":{r["field03"]}'
        f',"field04":{r["field04"]}'
        f',"field05":{r["field05"]}'
        f',"field06":{r["field06"]}'
        f',"field07":{r["field07"]}'
        f',"field08":{r["field08"]}'
        f',"field09":{r["field09"]}'
        f',"field10":{r["field10"]}'
        f',"field11":{r["field11"]}'
        f',"field12":{r["field12"]}'
        f',"field13":{r["field13"]}'
        f',"field14":{r["field14"]}'
        f',"field15":{r["field15"]}'
        f',"field16":{r["field16"]}'
        f',"field17":{r["field17"]}'
        f',"field18":{r["field18"]}'
        f',"field19":{r["field19"]}'
        f',"field20":{r["field20"]}'
        '}'
    ).encode()


def encode25(r):
    return (
        f'{{"field01":{r["field01"]}'
        f',"field02":{r["field02"]}'
        f',"field03":{r["field03"]}'
        f',"field04":{r["field04"]}'
        f',"field05":{r["field05"]}'
        f',"field06":{r["field06"]}'
        f',"field07":{r["field07"]}'
        f',"field08":{r["field08"]}'
        f',"field09":{r["field09"]}'
        f',"field10":{r["field10"]}'
        f',"field11":{r["field11"]}'
        f',"field12":{r["field12"]}'
        f',"field13":{r["field13"]}'
        f',"field14":{r["field14"]}'
        f',"field15":{r["field15"]}'
        f',"field16":{r["field16"]}'
        f',"field17":{r["field17"]}'
        f',"field18":{r["field18"]}'
        f',"field19":{r["field19"]}'
        f',"field20":{r["field20"]}'
        f',"field21":{r["field21"]}'
        f',"field22":{r["field22"]}'
        f',"field23":{r["field23"]}'
        f',"field24":{r["field24"]}'
        f',"field25":{r["field25"]}'
        '}'
    ).encode()


def encode35(r):
    return (
        f'{{"field01":{r["field01"]}'
        f',"field02":{r["field02"]}'
        f',"field03":{r["field03"]}'
        f',"field04":{r["field04"]}'
        f',"field05":{r["field05"]}'
        f',"field06":{r["field06"]}'
        f',"field07":{r["field07"]}'
        f',"field08":{r["field08"]}'
        f',"field09":{r["field09"]}'
        f',"field10":{r["field10"]}'
        f',"field11":{r["field11"]}'
        f',"field12":{r["field12"]}'
        f',"field13":{r["field13"]}'
        f',"field14":{r["field14"]}'
        f',"field15":{r["field15"]}'
        f',"field16":{r["field16"]}'
        f',"field17":{r["field17"]}'
        f',"field18":{r["field18"]}'
        f',"field19":{r["field19"]}'
        f',"field20":{r["field20"]}'
        f',"field21":{r["field21"]}'
        f',"field22":{r["field22"]}'
        f',"field23":{r["field23"]}'
        f',"field24":{r["field24"]}'
        f',"field25":{r["field25"]}'
        f',"field26":{r["field26"]}'
        f',"field27":{r["field27"]}'
        f',"field28":{r["field28"]}'
        f',"field29":{r["field29"]}'
        f',"field30":{r["field30"]}'
        f',"field31":{r["field31"]}'
        f',"field32":{r["field32"]}'
        f',"field33":{r["field33"]}'
        f',"field34":{r["field34"]}'
        f',"field35":{r["field35"]}'
        '}'
    ).encode()


def encode50(r):
    return (
        f'{{"field01":{r["field01"]}'
        f',"field02":{r["field02"]}'
        f',"field03":{r["field03"]}'
        f',"field04":{r["field04"]}'
        f',"field05":{r["field05"]}'
        f',"field06":{r["field06"]}'
        f',"field07":{r["field07"]}'
        f',"field08":{r["field08"]}'
        f',"field09":{r["field09"]}'
        f',"field10":{r["field10"]}'
        f',"field11":{r["field11"]}'
        f',"field12":{r["field12"]}'
        f',"field13":{r["field13"]}'
        f',"field14":{r["field14"]}'
        f',"field15":{r["field15"]}'
        f',"field16":{r["field16"]}'
        f',"field17":{r["field17"]}'
        f',"field18":{r["field18"]}'
        f',"field19":{r["field19"]}'
        f',"field20":{r["field20"]}'
        f',"field21":{r["field21"]}'
        f',"field22":{r["field22"]}'
        f',"field23":{r["field23"]}'
        f',"field24":{r["field24"]}'
        f',"field25":{r["field25"]}'
        f',"field26":{r["field26"]}'
        f',"field27":{r["field27"]}'
        f',"field28":{r["field28"]}'
        f',"field29":{r["field29"]}'
        f',"field30":{r["field30"]}'
        f',"field31":{r["field31"]}'
        f',"field32":{r["field32"]}'
        f',"field33":{r["field33"]}'
        f',"field34":{r["field34"]}'
        f',"field35":{r["field35"]}'
        f',"field36":{r["field36"]}'
        f',"field37":{r["field37"]}'
        f',"field38":{r["field38"]}'
        f',"field39":{r["field39"]}'
        f',"field40":{r["field40"]}'
        f',"field41":{r["field41"]}'
        f',"field42":{r["field42"]}'
        f',"field43":{r["field43"]}'
        f',"field44":{r["field44"]}'
        f',"field45":{r["field45"]}'
        f',"field46":{r["field46"]}'
        f',"field47":{r["field47"]}'
        f',"field48":{r["field48"]}'
        f',"field49":{r["field49"]}'
        f',"field50":{r["field50"]}'
        '}'
    ).encode()


# By size: from a record to its bytes.
ENCODE = {
    1: encode1,
    2: encode2,
    5: encode5,
    10: encode10,
    15: encode15,
    20: encode20,
    25: encode25,
    35: encode35,
    50: encode50,
}
