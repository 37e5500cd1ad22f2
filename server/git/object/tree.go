package object

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Mode is the type and the permissions of an entry, one of the five below. The zero value stands
// for a missing entry.
type Mode uint32

// The modes.
const (
	ModeDir        Mode = 0o040000
	ModeFile       Mode = 0o100644
	ModeExecutable Mode = 0o100755
	ModeSymlink    Mode = 0o120000
	ModeSubmodule  Mode = 0o160000
)

const modeType Mode = 0o170000

// String returns the six octal digits, such as "040000".
func (m Mode) String() string { return fmt.Sprintf("%06o", uint32(m)) }

// IsDir reports whether the entry is a directory.
func (m Mode) IsDir() bool { return m == ModeDir }

// IsBlob reports whether the content of the entry is a blob: a file, executable or not, or a
// symbolic link.
func (m Mode) IsBlob() bool { return m == ModeFile || m == ModeExecutable || m == ModeSymlink }

// Kind returns what the id of the entry stands for: a tree, a blob, or the commit of a submodule.
func (m Mode) Kind() Kind {
	switch m {
	case ModeDir:
		return KindTree
	case ModeSubmodule:
		return KindCommit
	}
	return KindBlob
}

// ParseMode reads octal digits, which may begin with zeros. Old git wrote other permissions than
// 644 and 755; they become the nearest of the two, as in git.
func ParseMode(digits string) (Mode, error) {
	n, err := strconv.ParseUint(digits, 8, 32)
	if err == nil && len(digits) <= 12 {
		switch mode := Mode(n); {
		case mode&modeType == ModeFile&modeType && mode&0o100 != 0:
			return ModeExecutable, nil
		case mode&modeType == ModeFile&modeType:
			return ModeFile, nil
		case mode&modeType == ModeDir, mode&modeType == ModeSymlink, mode&modeType == ModeSubmodule:
			return mode & modeType, nil
		}
	}
	return 0, fmt.Errorf("%.20q is not a mode: want 040000, 100644, 100755, 120000 or 160000", digits)
}

// Entry is an entry of a tree. The zero value means that there is none.
type Entry struct {
	Mode Mode
	Name string
	ID   ID
}

// CompareEntries returns -1, 0 or 1, by the order of trees: directories compare as if their names
// ended with "/".
func CompareEntries(a, b Entry) int {
	n := min(len(a.Name), len(b.Name))
	if c := strings.Compare(a.Name[:n], b.Name[:n]); c != 0 {
		return c
	}
	return int(a.byteAt(n)) - int(b.byteAt(n))
}

// byteAt returns a byte of the name, "/" after the name of a directory, and else 0.
func (e Entry) byteAt(i int) byte {
	switch {
	case i < len(e.Name):
		return e.Name[i]
	case e.Mode.IsDir():
		return '/'
	}
	return 0
}

// Tree is the entries of a directory, in git's order.
type Tree []Entry

// Find returns the entry with a name.
func (t Tree) Find(name string) (Entry, bool) {
	for _, mode := range []Mode{ModeFile, ModeDir} { // they stand at different places
		i, ok := slices.BinarySearchFunc(t, Entry{Name: name, Mode: mode}, CompareEntries)
		if ok && t[i].Name == name {
			return t[i], true
		}
	}
	return Entry{}, false
}

var errShortTree = errors.New("parse tree: it ends within an entry")

// ParseTree reads a tree. It fails if an entry is incomplete, has no name or an unknown type, or if
// the entries are not in git's order. It does not judge names: see CheckName.
func ParseTree(data []byte) (Tree, error) {
	text := string(data) // all names share it
	count := 0
	for rest := text; rest != ""; count++ {
		end := strings.IndexByte(rest, 0)
		if end < 0 || len(rest) < end+1+IDSize {
			return nil, errShortTree
		}
		rest = rest[end+1+IDSize:]
	}
	tree := make(Tree, count)
	for i := range tree {
		end := strings.IndexByte(text, 0)
		digits, name, _ := strings.Cut(text[:end], " ")
		mode, err := ParseMode(digits)
		if err != nil {
			return nil, fmt.Errorf("parse tree: %w", err)
		}
		if name == "" {
			return nil, errors.New("parse tree: an entry has no name")
		}
		tree[i] = Entry{Mode: mode, Name: name}
		copy(tree[i].ID[:], text[end+1:])
		text = text[end+1+IDSize:]
		if i > 0 && CompareEntries(tree[i-1], tree[i]) >= 0 {
			return nil, fmt.Errorf("parse tree: entry %q is not in order", name)
		}
	}
	return tree, nil
}

// EncodeTree returns the content of a tree, with its entries in git's order. It does not change t.
func EncodeTree(t Tree) []byte {
	if !slices.IsSortedFunc(t, CompareEntries) {
		t = slices.Clone(t)
		slices.SortFunc(t, CompareEntries)
	}
	size := 0
	for _, e := range t {
		size += len("100644 ") + len(e.Name) + 1 + IDSize
	}
	dst := make([]byte, 0, size)
	for _, e := range t {
		dst = strconv.AppendUint(dst, uint64(e.Mode), 8)
		dst = append(dst, ' ')
		dst = append(dst, e.Name...)
		dst = append(dst, 0)
		dst = append(dst, e.ID[:]...)
	}
	return dst
}
