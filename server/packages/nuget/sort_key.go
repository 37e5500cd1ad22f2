package nuget

import (
	"strconv"
	"strings"
)

// SortKey returns a text that stands for the version in a database: the keys of two versions
// compare as bytes (in Postgres: collate "C") as the versions do, and are equal if the versions
// are.
//
// A number is its digits after their count, which is after the count of its own digits, so that a
// longer number comes later: 10 is "1210". Four numbers are followed by "~" in a release and, since
// it comes before, by "-" and labels in a prerelease. A label is "#" and a number, or "=", a text
// and "!", which comes before everything that a longer text could have in its place:
//
//	1.0.0          111.110.110.110~
//	1.0.0-alpha.2  111.110.110.110-=alpha!#112
func (v Version) SortKey() string {
	var key strings.Builder
	for i, number := range v.numbers {
		if i > 0 {
			key.WriteByte('.')
		}
		writeNumber(&key, number)
	}
	if !v.Prerelease() {
		key.WriteByte('~')
		return key.String()
	}
	key.WriteByte('-')
	for _, label := range v.labels {
		if isNumber(label) {
			key.WriteByte('#')
			writeNumber(&key, trimZeros(label))
			continue
		}
		key.WriteByte('=')
		key.WriteString(strings.ToLower(label))
		key.WriteByte('!')
	}
	return key.String()
}

// writeNumber writes a number, which has fewer than 10^9 digits and no leading zeros.
func writeNumber(key *strings.Builder, number string) {
	length := strconv.Itoa(len(number))
	key.WriteString(strconv.Itoa(len(length)))
	key.WriteString(length)
	key.WriteString(number)
}
