// Written by workloads/records/write_types.py.

// Package types is what easyjson writes encoders for.
package types

// Fields1 is a record of 1.
//
//easyjson:json
type Fields1 struct {
	Field01 int64 `json:"field01"`
}

// Fill sets every field to the value of its number.
func (r *Fields1) Fill(value func(field int) int64) {
	r.Field01 = value(0)
}

// Fields2 is a record of 2.
//
//easyjson:json
type Fields2 struct {
	Field01 int64 `json:"field01"`
	Field02 int64 `json:"field02"`
}

// Fill sets every field to the value of its number.
func (r *Fields2) Fill(value func(field int) int64) {
	r.Field01 = value(0)
	r.Field02 = value(1)
}

// Fields5 is a record of 5.
//
//easyjson:json
type Fields5 struct {
	Field01 int64 `json:"field01"`
	Field02 int64 `json:"field02"`
	Field03 int64 `json:"field03"`
	Field04 int64 `json:"field04"`
	Field05 int64 `json:"field05"`
}

// Fill sets every field to the value of its number.
func (r *Fields5) Fill(value func(field int) int64) {
	r.Field01 = value(0)
	r.Field02 = value(1)
	r.Field03 = value(2)
	r.Field04 = value(3)
	r.Field05 = value(4)
}

// Fields10 is a record of 10.
//
//easyjson:json
type Fields10 struct {
	Field01 int64 `json:"field01"`
	Field02 int64 `json:"field02"`
	Field03 int64 `json:"field03"`
	Field04 int64 `json:"field04"`
	Field05 int64 `json:"field05"`
	Field06 int64 `json:"field06"`
	Field07 int64 `json:"field07"`
	Field08 int64 `json:"field08"`
	Field09 int64 `json:"field09"`
	Field10 int64 `json:"field10"`
}

// Fill sets every field to the value of its number.
func (r *Fields10) Fill(value func(field int) int64) {
	r.Field01 = value(0)
	r.Field02 = value(1)
	r.Field03 = value(2)
	r.Field04 = value(3)
	r.Field05 = value(4)
	r.Field06 = value(5)
	r.Field07 = value(6)
	r.Field08 = value(7)
	r.Field09 = value(8)
	r.Field10 = value(9)
}

// Fields15 is a record of 15.
//
//easyjson:json
type Fields15 struct {
	Field01 int64 `json:"field01"`
	Field02 int64 `json:"field02"`
	Field03 int64 `json:"field03"`
	Field04 int64 `json:"field04"`
	Field05 int64 `json:"field05"`
	Field06 int64 `json:"field06"`
	Field07 int64 `json:"field07"`
	Field08 int64 `json:"field08"`
	Field09 int64 `json:"field09"`
	Field10 int64 `json:"field10"`
	Field11 int64 `json:"field11"`
	Field12 int64 `json:"field12"`
	Field13 int64 `json:"field13"`
	Field14 int64 `json:"field14"`
	Field15 int64 `json:"field15"`
}

// Fill sets every field to the value of its number.
func (r *Fields15) Fill(value func(field int) int64) {
	r.Field01 = value(0)
	r.Field02 = value(1)
	r.Field03 = value(2)
	r.Field04 = value(3)
	r.Field05 = value(4)
	r.Field06 = value(5)
	r.Field07 = value(6)
	r.Field08 = value(7)
	r.Field09 = value(8)
	r.Field10 = value(9)
	r.Field11 = value(10)
	r.Field12 = value(11)
	r.Field13 = value(12)
	r.Field14 = value(13)
	r.Field15 = value(14)
}

// Fields20 is a record of 20.
//
//easyjson:json
type Fields20 struct {
	Field01 int64 `json:"field01"`
	Field02 int64 `json:"field02"`
	Field03 int64 `json:"field03"`
	Field04 int64 `json:"field04"`
	Field05 int64 `json:"field05"`
	Field06 int64 `json:"field06"`
	Field07 int64 `json:"field07"`
	Field08 int64 `json:"field08"`
	Field09 int64 `json:"field09"`
	Field10 int64 `json:"field10"`
	Field11 int64 `json:"field11"`
	Field12 int64 `json:"field12"`
	Field13 int64 `json:"field13"`
	Field14 int64 `json:"field14"`
	Field15 int64 `json:"field15"`
	Field16 int64 `json:"field16"`
	Field17 int64 `json:"field17"`
	Field18 int64 `json:"field18"`
	Field19 int64 `json:"field19"`
	Field20 int64 `json:"field20"`
}

// Fill sets every field to the value of its number.
func (r *Fields20) Fill(value func(field int) int64) {
	r.Field01 = value(0)
	r.Field02 = value(1)
	r.Field03 = value(2)
	r.Field04 = value(3)
	r.Field05 = value(4)
	r.Field06 = value(5)
	r.Field07 = value(6)
	r.Field08 = value(7)
	r.Field09 = value(8)
	r.Field10 = value(9)
	r.Field11 = value(10)
	r.Field12 = value(11)
	r.Field13 = value(12)
	r.Field14 = value(13)
	r.Field15 = value(14)
	r.Field16 = value(15)
	r.Field17 = value(16)
	r.Field18 = value(17)
	r.Field19 = value(18)
	r.Field20 = value(19)
}

// Fields25 is a record of 25.
//
//easyjson:json
type Fields25 struct {
	Field01 int64 `json:"field01"`
	Field02 int64 `json:"field02"`
	Field03 int64 `json:"field03"`
	Field04 int64 `json:"field04"`
	Field05 int64 `json:"field05"`
	Field06 int64 `json:"field06"`
	Field07 int64 `json:"field07"`
	Field08 int64 `json:"field08"`
	Field09 int64 `json:"field09"`
	Field10 int64 `json:"field10"`
	Field11 int64 `json:"field11"`
	Field12 int64 `json:"field12"`
	Field13 int64 `json:"field13"`
	Field14 int64 `json:"field14"`
	Field15 int64 `json:"field15"`
	Field16 int64 `json:"field16"`
	Field17 int64 `json:"field17"`
	Field18 int64 `json:"field18"`
	Field19 int64 `json:"field19"`
	Field20 int64 `json:"field20"`
	Field21 int64 `json:"field21"`
	Field22 int64 `json:"field22"`
	Field23 int64 `json:"field23"`
	Field24 int64 `json:"field24"`
	Field25 int64 `json:"field25"`
}

// Fill sets every field to the value of its number.
func (r *Fields25) Fill(value func(field int) int64) {
	r.Field01 = value(0)
	r.Field02 = value(1)
	r.Field03 = value(2)
	r.Field04 = value(3)
	r.Field05 = value(4)
	r.Field06 = value(5)
	r.Field07 = value(6)
	r.Field08 = value(7)
	r.Field09 = value(8)
	r.Field10 = value(9)
	r.Field11 = value(10)
	r.Field12 = value(11)
	r.Field13 = value(12)
	r.Field14 = value(13)
	r.Field15 = value(14)
	r.Field16 = value(15)
	r.Field17 = value(16)
	r.Field18 = value(17)
	r.Field19 = value(18)
	r.Field20 = value(19)
	r.Field21 = value(20)
	r.Field22 = value(21)
	r.Field23 = value(22)
	r.Field24 = value(23)
	r.Field25 = value(24)
}

// Fields35 is a record of 35.
//
//easyjson:json
type Fields35 struct {
	Field01 int64 `json:"field01"`
	Field02 int64 `json:"field02"`
	Field03 int64 `json:"field03"`
	Field04 int64 `json:"field04"`
	Field05 int64 `json:"field05"`
	Field06 int64 `json:"field06"`
	Field07 int64 `json:"field07"`
	Field08 int64 `json:"field08"`
	Field09 int64 `json:"field09"`
	Field10 int64 `json:"field10"`
	Field11 int64 `json:"field11"`
	Field12 int64 `json:"field12"`
	Field13 int64 `json:"field13"`
	Field14 int64 `json:"field14"`
	Field15 int64 `json:"field15"`
	Field16 int64 `json:"field16"`
	Field17 int64 `json:"field17"`
	Field18 int64 `json:"field18"`
	Field19 int64 `json:"field19"`
	Field20 int64 `json:"field20"`
	Field21 int64 `json:"field21"`
	Field22 int64 `json:"field22"`
	Field23 int64 `json:"field23"`
	Field24 int64 `json:"field24"`
	Field25 int64 `json:"field25"`
	Field26 int64 `json:"field26"`
	Field27 int64 `json:"field27"`
	Field28 int64 `json:"field28"`
	Field29 int64 `json:"field29"`
	Field30 int64 `json:"field30"`
	Field31 int64 `json:"field31"`
	Field32 int64 `json:"field32"`
	Field33 int64 `json:"field33"`
	Field34 int64 `json:"field34"`
	Field35 int64 `json:"field35"`
}

// Fill sets every field to the value of its number.
func (r *Fields35) Fill(value func(field int) int64) {
	r.Field01 = value(0)
	r.Field02 = value(1)
	r.Field03 = value(2)
	r.Field04 = value(3)
	r.Field05 = value(4)
	r.Field06 = value(5)
	r.Field07 = value(6)
	r.Field08 = value(7)
	r.Field09 = value(8)
	r.Field10 = value(9)
	r.Field11 = value(10)
	r.Field12 = value(11)
	r.Field13 = value(12)
	r.Field14 = value(13)
	r.Field15 = value(14)
	r.Field16 = value(15)
	r.Field17 = value(16)
	r.Field18 = value(17)
	r.Field19 = value(18)
	r.Field20 = value(19)
	r.Field21 = value(20)
	r.Field22 = value(21)
	r.Field23 = value(22)
	r.Field24 = value(23)
	r.Field25 = value(24)
	r.Field26 = value(25)
	r.Field27 = value(26)
	r.Field28 = value(27)
	r.Field29 = value(28)
	r.Field30 = value(29)
	r.Field31 = value(30)
	r.Field32 = value(31)
	r.Field33 = value(32)
	r.Field34 = value(33)
	r.Field35 = value(34)
}

// Fields50 is a record of 50.
//
//easyjson:json
type Fields50 struct {
	Field01 int64 `json:"field01"`
	Field02 int64 `json:"field02"`
	Field03 int64 `json:"field03"`
	Field04 int64 `json:"field04"`
	Field05 int64 `json:"field05"`
	Field06 int64 `json:"field06"`
	Field07 int64 `json:"field07"`
	Field08 int64 `json:"field08"`
	Field09 int64 `json:"field09"`
	Field10 int64 `json:"field10"`
	Field11 int64 `json:"field11"`
	Field12 int64 `json:"field12"`
	Field13 int64 `json:"field13"`
	Field14 int64 `json:"field14"`
	Field15 int64 `json:"field15"`
	Field16 int64 `json:"field16"`
	Field17 int64 `json:"field17"`
	Field18 int64 `json:"field18"`
	Field19 int64 `json:"field19"`
	Field20 int64 `json:"field20"`
	Field21 int64 `json:"field21"`
	Field22 int64 `json:"field22"`
	Field23 int64 `json:"field23"`
	Field24 int64 `json:"field24"`
	Field25 int64 `json:"field25"`
	Field26 int64 `json:"field26"`
	Field27 int64 `json:"field27"`
	Field28 int64 `json:"field28"`
	Field29 int64 `json:"field29"`
	Field30 int64 `json:"field30"`
	Field31 int64 `json:"field31"`
	Field32 int64 `json:"field32"`
	Field33 int64 `json:"field33"`
	Field34 int64 `json:"field34"`
	Field35 int64 `json:"field35"`
	Field36 int64 `json:"field36"`
	Field37 int64 `json:"field37"`
	Field38 int64 `json:"field38"`
	Field39 int64 `json:"field39"`
	Field40 int64 `json:"field40"`
	Field41 int64 `json:"field41"`
	Field42 int64 `json:"field42"`
	Field43 int64 `json:"field43"`
	Field44 int64 `json:"field44"`
	Field45 int64 `json:"field45"`
	Field46 int64 `json:"field46"`
	Field47 int64 `json:"field47"`
	Field48 int64 `json:"field48"`
	Field49 int64 `json:"field49"`
	Field50 int64 `json:"field50"`
}

// Fill sets every field to the value of its number.
func (r *Fields50) Fill(value func(field int) int64) {
	r.Field01 = value(0)
	r.Field02 = value(1)
	r.Field03 = value(2)
	r.Field04 = value(3)
	r.Field05 = value(4)
	r.Field06 = value(5)
	r.Field07 = value(6)
	r.Field08 = value(7)
	r.Field09 = value(8)
	r.Field10 = value(9)
	r.Field11 = value(10)
	r.Field12 = value(11)
	r.Field13 = value(12)
	r.Field14 = value(13)
	r.Field15 = value(14)
	r.Field16 = value(15)
	r.Field17 = value(16)
	r.Field18 = value(17)
	r.Field19 = value(18)
	r.Field20 = value(19)
	r.Field21 = value(20)
	r.Field22 = value(21)
	r.Field23 = value(22)
	r.Field24 = value(23)
	r.Field25 = value(24)
	r.Field26 = value(25)
	r.Field27 = value(26)
	r.Field28 = value(27)
	r.Field29 = value(28)
	r.Field30 = value(29)
	r.Field31 = value(30)
	r.Field32 = value(31)
	r.Field33 = value(32)
	r.Field34 = value(33)
	r.Field35 = value(34)
	r.Field36 = value(35)
	r.Field37 = value(36)
	r.Field38 = value(37)
	r.Field39 = value(38)
	r.Field40 = value(39)
	r.Field41 = value(40)
	r.Field42 = value(41)
	r.Field43 = value(42)
	r.Field44 = value(43)
	r.Field45 = value(44)
	r.Field46 = value(45)
	r.Field47 = value(46)
	r.Field48 = value(47)
	r.Field49 = value(48)
	r.Field50 = value(49)
}
