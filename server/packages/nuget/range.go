package nuget

import "strings"

// AnyRange is the range of all versions.
const AnyRange = "(, )"

// NormalRange returns the normal form of a range of versions, such as "[1.0.0, )", and reports
// whether the range is valid:
//
//	1.0        1.0 or newer
//	[1.0]      1.0 only
//	(1.0,)     newer than 1.0
//	(,1.0]     1.0 or older
//	[1.0,2.0)  1.0 or newer, and older than 2.0
//	1.2.*      1.2 or newer
//
// No text at all, and "*", are [AnyRange]. A range that no version can be in is not valid.
func NormalRange(text string) (normal string, ok bool) {
	text = strings.TrimSpace(text)
	if len(text) > 3*maxText {
		return "", false
	}
	if text == "" || !strings.ContainsAny(text[:1], "[(") {
		lower, ok := parseBound(text)
		if !ok {
			return "", false
		}
		return writeRange('[', lower, Version{}, ')'), true
	}
	first, last := text[0], text[len(text)-1]
	if last != ']' && last != ')' {
		return "", false
	}
	from, to, interval := strings.Cut(text[1:len(text)-1], ",")
	if !interval {
		to = from
	}
	lower, lowerOK := parseBound(from)
	upper, upperOK := parseBound(to)
	if !lowerOK || !upperOK || !interval && lower.text == "" {
		return "", false
	}
	if lower.text != "" && upper.text != "" {
		order := lower.Compare(upper)
		if order > 0 || order == 0 && (first != '[' || last != ']') {
			return "", false
		}
	}
	return writeRange(first, lower, upper, last), true
}

// parseBound returns the version of a bound, and the zero version if it is left open. Of a pattern
// such as "1.2.*" the bound is the oldest release.
func parseBound(text string) (Version, bool) {
	text = strings.TrimSpace(text)
	if fixed, floating := strings.CutSuffix(text, "*"); floating {
		text = strings.TrimRight(strings.TrimSuffix(fixed, "*-"), ".-")
	}
	if text == "" {
		return Version{}, true
	}
	return LookupVersion(text)
}

// writeRange writes a range; bounds that are the zero version are open.
func writeRange(first byte, lower, upper Version, last byte) string {
	from, to := "(", ")"
	if lower.text != "" {
		from = string(first) + lower.Normal()
	}
	if upper.text != "" {
		to = upper.Normal() + string(last)
	}
	return from + ", " + to
}
