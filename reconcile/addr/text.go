package addr

import (
	"cmp"
	"strconv"
	"strings"
)

// StringKey is the printed form of a for_each key.
func StringKey(s string) string { return strconv.Quote(s) }

// IndexKey is the printed form of a count index.
func IndexKey(i int) string { return strconv.Itoa(i) }

// String prints the block as configuration names it: group.acme, module.web,
// module.web.data.projects.all, exclusive.project_hook.platform.
func (b Block) String() string {
	var s strings.Builder
	b.print(&s)
	return s.String()
}

func (b Block) print(s *strings.Builder) {
	for rest := b.Module; rest != ""; {
		var call string
		call, rest = cutCall(rest)
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

// String prints the instance for people: x.y[0], group_members.platform["bob"].
// An element of a set kind looks like a for_each key there; MarshalText is the
// form that tells them apart.
func (i Instance) String() string { return i.print(i.Mode != Exclusive) }

func (i Instance) print(friendly bool) string {
	var s strings.Builder
	i.Block.print(&s)
	if i.Key != "" {
		s.WriteString("[" + i.Key + "]")
	}
	switch {
	case i.Elem == "":
	case friendly:
		elem, id, deposed := strings.Cut(i.Elem, deposedMark)
		if elem != "" {
			s.WriteString("[" + strconv.Quote(elem) + "]")
		}
		if deposed {
			s.WriteString(" (old " + id + ")")
		}
	case i.Mode == Exclusive && isNumber(i.Elem):
		s.WriteString("#" + i.Elem) // a stray's id on the host
	default:
		s.WriteString("#" + strconv.Quote(i.Elem))
	}
	return s.String()
}

// deposedMark cannot be in a user name, which is what elements are called.
const deposedMark = "~"

// Depose is the address of an object that i stood for before its owner
// changed, by the host's id.
func (i Instance) Depose(id string) Instance {
	i.Elem += deposedMark + id
	return i
}

// Deposed tells whether i is such an address.
func (i Instance) Deposed() bool { return strings.Contains(i.Elem, deposedMark) }

// Declared is the address that i was deposed from, or i itself.
func (i Instance) Declared() Instance {
	i.Elem, _, _ = strings.Cut(i.Elem, deposedMark)
	return i
}

// isNumber tells an index or id, as hosts and counts print them, from a text.
// Sorting asks it for each comparison, so it allocates nothing.
func isNumber(s string) bool {
	if s == "" || len(s) > 19 || s[0] == '0' && len(s) > 1 {
		return false
	}
	return strings.Trim(s, "0123456789") == ""
}

// MarshalText is the unambiguous form, group_members.platform#"bob": what
// ledgers and saved plans hold.
func (i Instance) MarshalText() ([]byte, error) { return []byte(i.print(false)), nil }

// UnmarshalText reads both forms.
func (i *Instance) UnmarshalText(text []byte) (err error) {
	*i, err = Parse(string(text))
	return err
}

// MarshalText is the same as String.
func (b Block) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads what MarshalText wrote.
func (b *Block) UnmarshalText(text []byte) (err error) {
	*b, err = ParseBlock(string(text))
	return err
}

// Compare orders addresses by module, mode, kind, name, key and element;
// count indexes by number.
func (i Instance) Compare(o Instance) int {
	return cmp.Or(i.Block.Compare(o.Block), compareKeys(i.Key, o.Key), compareKeys(i.Elem, o.Elem))
}

// Less tells whether i comes before o.
func (i Instance) Less(o Instance) bool { return i.Compare(o) < 0 }

// Compare orders blocks by module, mode, kind and name.
func (b Block) Compare(o Block) int {
	return cmp.Or(compareModules(b.Module, o.Module), cmp.Compare(b.Mode, o.Mode),
		strings.Compare(b.Kind, o.Kind), strings.Compare(b.Name, o.Name))
}

// compareKeys puts numbers, in their order, before texts.
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
