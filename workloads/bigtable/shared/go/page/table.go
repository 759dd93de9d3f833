package page

import "strconv"

// Append appends the page to a buffer, byte by byte as a program without a template would.
func (p Page) Append(page []byte) []byte {
	page = append(page, "<table>"...)
	for row := 0; row < p.Rows; row++ {
		page = append(page, "<tr>"...)
		for column := 1; column <= p.Columns; column++ {
			page = append(page, "<td>"...)
			page = strconv.AppendInt(page, int64(column), 10)
			page = append(page, "</td>"...)
		}
		page = append(page, "</tr>\n"...)
	}
	return append(page, "</table>"...)
}
