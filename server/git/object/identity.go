package object

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Signature is who made a commit or tag, and when. When has whole seconds and keeps the offset of
// the zone that was written; it is the zero time if no date was written.
type Signature struct {
	Name, Email string
	When        time.Time
}

// String returns the signature as git writes it: "Name <email> 1700000000 +0100". It leaves out
// characters that would break the format, and those that git removes from both ends of a name.
func (s Signature) String() string { return string(s.append(nil)) }

func (s Signature) append(dst []byte) []byte {
	dst = append(dst, cleanIdentity(s.Name)...)
	dst = append(dst, " <"...)
	dst = append(dst, cleanIdentity(s.Email)...)
	dst = append(dst, "> "...)
	if s.When.Unix() < 0 { // git has no dates before 1970
		return append(dst, "0 +0000"...)
	}
	dst = strconv.AppendInt(dst, s.When.Unix(), 10)
	return append(dst, s.When.Format(" -0700")...)
}

// cleanIdentity removes what git removes: controls, space and .,:;<>"\' at both ends, and line
// feeds and angle brackets everywhere.
func cleanIdentity(text string) string {
	text = strings.TrimFunc(text, func(r rune) bool { return r <= ' ' || strings.ContainsRune(`.,:;<>"\'`, r) })
	if !strings.ContainsAny(text, "\n<>\x00") {
		return text
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("\n<>\x00", r) {
			return -1
		}
		return r
	}, text)
}

// ParseSignature reads a signature as git does, which takes what it can from a broken one: the name
// ends at the first "<", the address at the first ">" after it, and the date follows the last ">".
func ParseSignature(line string) Signature {
	name, rest, ok := strings.Cut(line, "<")
	if !ok {
		return Signature{}
	}
	email, _, ok := strings.Cut(rest, ">")
	if !ok {
		return Signature{}
	}
	s := Signature{Name: strings.Trim(name, spaces), Email: email}
	s.When = parseDate(rest[strings.LastIndexByte(rest, '>')+1:])
	return s
}

// spaces are the characters that git takes for white space.
const spaces = " \t\n\r"

// parseDate reads "1700000000 +0100". It returns the zero time if seconds or zone are missing, or
// if no calendar reaches the seconds.
func parseDate(text string) time.Time {
	text = strings.TrimLeft(text, spaces)
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	seconds, err := strconv.ParseInt(text[:digits], 10, 64)
	zone := parseZone(strings.TrimLeft(text[digits:], spaces))
	if err != nil || seconds > math.MaxInt64>>10 || zone == nil {
		return time.Time{}
	}
	return time.Unix(seconds, 0).In(zone)
}

// parseZone reads "+0130". It returns UTC for an offset of a day and more, and nil if there is
// none.
func parseZone(text string) *time.Location {
	if len(text) < 2 || text[0] != '+' && text[0] != '-' {
		return nil
	}
	digits := text[1:]
	digits = digits[:len(digits)-len(strings.TrimLeft(digits, "0123456789"))]
	if digits == "" {
		return nil
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n/100 >= 24 || n == 0 {
		return time.UTC
	}
	offset := (n/100*60 + n%100) * 60
	if text[0] == '-' {
		offset = -offset
	}
	return time.FixedZone("", offset)
}
