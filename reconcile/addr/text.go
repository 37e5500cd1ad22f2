package addr

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"hew/schema/pattern"
)

// oldMark begins what follows the address of a deposed object: its id and ")".
const oldMark = " (replaced object, id "

// StringKey returns the printed form of a for_each key.
func StringKey(s string) string { return quote(s) }

// goEscape matches an escape of a string literal of Go.
var goEscape = pattern.Lazy(`\\(?:x[0-9a-f]{2}|.)`)

// quote returns a text in quotes. Control characters are escaped as HCL does, which has no \x1b.
func quote(s string) string {
	quoted := strconv.Quote(s)
	if !strings.Contains(quoted, `\`) {
		return quoted
	}
	return goEscape().ReplaceAllStringFunc(quoted, func(e string) string {
		c, _, _, _ := strconv.UnquoteChar(e, '"')
		if strings.ContainsRune("xabfv", rune(e[1])) && c < utf8.RuneSelf { // else a byte of broken UTF-8
			return fmt.Sprintf(`\u%04x`, c)
		}
		return e
	})
}

// IndexKey returns the printed form of a count index.
func IndexKey(i int) string { return strconv.Itoa(i) }

// String returns the address as configuration names it: group.acme, module.web,
// module.web.data.projects.all, exclusive.project_hook.platform.
func (b Block) String() string {
	var s strings.Builder
	b.appendTo(&s)
	return s.String()
}

func (b Block) appendTo(s *strings.Builder) {
	for rest := b.Module; rest != ""; {
		var call string
		call, rest = cutFirstCall(rest)
		s.WriteString("module.")
		s.WriteString(call)
		if rest != "" || b.Kind != "" {
			s.WriteByte('.')
		}
	}
	if b.Kind == "" {
		return
	}
	s.WriteString(modePrefix[b.Mode])
	s.WriteString(b.Kind)
	s.WriteByte('.')
	s.WriteString(b.Name)
}

var modePrefix = [...]string{Resource: "", Data: "data.", Exclusive: "exclusive."}

// String returns the form for people: x.y[0], group_members.platform["bob"]. An element of a set
// looks like a for_each key in it; MarshalText tells them apart.
func (i Instance) String() string { return i.format(i.Mode != Exclusive) }

func (i Instance) format(friendly bool) string {
	var s strings.Builder
	i.Block.appendTo(&s)
	if i.Key != "" {
		s.WriteString("[" + i.Key + "]")
	}
	switch {
	case i.Elem == "":
	case friendly:
		elem, id, deposed := strings.Cut(i.Elem, deposedMark)
		if elem != "" {
			s.WriteString("[" + quote(elem) + "]")
		}
		if deposed {
			s.WriteString(oldMark + id + ")")
		}
	case i.Mode == Exclusive && isNumber(i.Elem):
		s.WriteString("#" + i.Elem) // the id of an undeclared object
	default:
		s.WriteString("#" + quote(i.Elem))
	}
	return s.String()
}

// deposedMark separates the id of a deposed object. The keys of elements are user names, which do
// not contain it.
const deposedMark = "~"

// Depose returns the address of the object with that id, which was at i until it was replaced.
func (i Instance) Depose(id string) Instance {
	i.Elem += deposedMark + id
	return i
}

// Deposed reports whether i is the address of a deposed object.
func (i Instance) Deposed() bool { return strings.Contains(i.Elem, deposedMark) }

// Declared returns the address before Depose, or i itself.
func (i Instance) Declared() Instance {
	i.Elem, _, _ = strings.Cut(i.Elem, deposedMark)
	return i
}

// isNumber reports whether s is a count index or an id. It must not allocate, because sorting calls
// it for each comparison.
func isNumber(s string) bool {
	if s == "" || len(s) > 19 || s[0] == '0' && len(s) > 1 {
		return false
	}
	return strings.Trim(s, "0123456789") == ""
}

// MarshalText returns the unambiguous form, as in group_members.platform#"bob", which ledgers and
// saved plans contain.
func (i Instance) MarshalText() ([]byte, error) { return []byte(i.format(false)), nil }

// UnmarshalText reads either form.
func (i *Instance) UnmarshalText(text []byte) (err error) {
	*i, err = Parse(string(text))
	return err
}

// MarshalText returns the same as String.
func (b Block) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (b *Block) UnmarshalText(text []byte) (err error) {
	*b, err = ParseBlock(string(text))
	return err
}

// Compare compares by module, mode, kind, name, key and element; count indexes by number.
func (i Instance) Compare(o Instance) int {
	return cmp.Or(i.Block.Compare(o.Block), compareKeys(i.Key, o.Key), compareKeys(i.Elem, o.Elem))
}

// Less reports whether i comes before o.
func (i Instance) Less(o Instance) bool { return i.Compare(o) < 0 }

// Compare compares by module, mode, kind and name.
func (b Block) Compare(o Block) int {
	return cmp.Or(compareModules(b.Module, o.Module), cmp.Compare(b.Mode, o.Mode),
		strings.Compare(b.Kind, o.Kind), strings.Compare(b.Name, o.Name))
}

// compareKeys compares keys: numbers by value, before all strings.
func compareKeys(a, b string) int {
	switch na, nb := isNumber(a), isNumber(b); {
	case na && nb:
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	case na != nb && a != "" && b != "":
		if na {
			return -1
		}
		return 1
	}
	return strings.Compare(a, b)
}
