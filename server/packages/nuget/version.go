package nuget

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hew/schema/pattern"
)

// maxText bounds names, versions and their normal forms, in bytes.
const maxText = 255

// accepted is what a version of a package must look like: two or three numbers without leading
// zeros, an optional fourth, and the suffixes of semantic versions.
var accepted = pattern.Lazy(`^(0|[1-9]\d*)\.(0|[1-9]\d*)(\.(0|[1-9]\d*)(\.\d+)?)?` +
	`(-(\d*[A-Za-z-][0-9A-Za-z-]*|0|[1-9]\d*)(\.(\d*[A-Za-z-][0-9A-Za-z-]*|0|[1-9]\d*))*)?` +
	`(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$`)

// known is what a version may look like where a client names one.
var known = pattern.Lazy(`^\d+(\.\d+){0,3}(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$`)

// Version is the version of a package: up to four numbers, labels of a prerelease, and build
// metadata. Versions differ from semantic ones in that "1.0", "1.0.0" and "1.0.0.0" are the same,
// and in that case is ignored.
type Version struct {
	text    string
	numbers [4]string // without leading zeros, of any length
	labels  []string
}

// ParseVersion reads the version of a package that is published. It reports whether it is valid.
func ParseVersion(text string) (Version, bool) {
	return parseVersion(text, accepted())
}

// LookupVersion reads a version as a client names it: leading zeros, and one number alone, are
// valid too. It reports whether it is valid.
func LookupVersion(text string) (Version, bool) {
	return parseVersion(text, known())
}

// parseVersion reads a version that has a form. Neither it nor its normal form may be too long.
func parseVersion(text string, form *regexp.Regexp) (Version, bool) {
	if len(text) > maxText || !form.MatchString(text) {
		return Version{}, false
	}
	v := split(text)
	return v, len(v.Normal()) <= maxText
}

// split returns the parts of a valid version.
func split(text string) Version {
	v := Version{text: text, numbers: [4]string{"0", "0", "0", "0"}}
	rest, _, _ := strings.Cut(text, "+")
	rest, labels, ok := strings.Cut(rest, "-")
	if ok {
		v.labels = strings.Split(labels, ".")
	}
	for i, number := range strings.Split(rest, ".") {
		v.numbers[i] = trimZeros(number)
	}
	return v
}

// trimZeros removes leading zeros, but for the last digit.
func trimZeros(number string) string {
	if trimmed := strings.TrimLeft(number, "0"); trimmed != "" {
		return trimmed
	}
	return "0"
}

// String returns the version as it was written.
func (v Version) String() string { return v.text }

// Normal returns the normal form: three numbers or, if the fourth is not zero, four, without
// leading zeros, and the labels. Build metadata is left out. URLs have it in lower case. The normal
// forms of equal versions are equal but for case, and for leading zeros of labels.
func (v Version) Normal() string {
	numbers := v.numbers[:]
	if v.numbers[3] == "0" {
		numbers = numbers[:3]
	}
	text := strings.Join(numbers, ".")
	if len(v.labels) > 0 {
		text += "-" + strings.Join(v.labels, ".")
	}
	return text
}

// Prerelease reports whether the version has labels.
func (v Version) Prerelease() bool { return len(v.labels) > 0 }

// Compare returns -1, 0 or +1 if v is older than, equal to or newer than w. Numbers are compared
// first. A release is newer than its prereleases. Labels are compared one by one: numbers by value,
// texts without case, a number before a text, and a version that has more labels is newer. Build
// metadata is ignored.
func (v Version) Compare(w Version) int {
	for i, number := range v.numbers {
		if c := compareNumbers(number, w.numbers[i]); c != 0 {
			return c
		}
	}
	switch {
	case !v.Prerelease() && w.Prerelease():
		return 1
	case v.Prerelease() && !w.Prerelease():
		return -1
	}
	return slices.CompareFunc(v.labels, w.labels, compareLabels)
}

func compareLabels(a, b string) int {
	switch aNumber, bNumber := isNumber(a), isNumber(b); {
	case aNumber && bNumber:
		return compareNumbers(trimZeros(a), trimZeros(b))
	case aNumber:
		return -1
	case bNumber:
		return 1
	}
	return strings.Compare(strings.ToLower(a), strings.ToLower(b))
}

// compareNumbers compares decimal numbers without leading zeros.
func compareNumbers(a, b string) int {
	switch {
	case len(a) < len(b):
		return -1
	case len(a) > len(b):
		return 1
	}
	return strings.Compare(a, b)
}

func isNumber(label string) bool {
	return strings.Trim(label, "0123456789") == ""
}

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
