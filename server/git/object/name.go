package object

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Limits of paths. A tree that is deeper than MaxDepth cannot be walked.
const (
	MaxPath  = 4096 // bytes
	MaxDepth = 1024 // elements
)

// CheckName returns why git would not check out a tree with an entry of this name, or nil. Beside
// the names that no file system has, these are the ones that some file system takes for ".git".
func CheckName(name string) error {
	switch {
	case name == "":
		return fmt.Errorf("%q is not a valid file name: it is empty", name)
	case name == "." || name == "..":
		return fmt.Errorf("%q is not a valid file name: it names a directory already", name)
	case strings.ContainsAny(name, "/\x00"):
		return fmt.Errorf("%q is not a valid file name: it contains a slash or NUL", name)
	case isDotGit(name):
		return fmt.Errorf("%q is not a valid file name: git keeps its own data in .git", name)
	}
	return nil
}

// CheckPath returns why no entry of a tree can have this path, or nil.
func CheckPath(path string) error {
	if len(path) > MaxPath {
		return fmt.Errorf("path %.60q… is %d bytes long: the limit is %d", path, len(path), MaxPath)
	}
	if depth := strings.Count(path, "/") + 1; depth > MaxDepth {
		return fmt.Errorf("path %.60q… is %d directories deep: the limit is %d", path, depth, MaxDepth)
	}
	for name := range strings.SplitSeq(path, "/") {
		if err := CheckName(name); err != nil {
			return fmt.Errorf("path %q: %w", path, err)
		}
	}
	return nil
}

// isDotGit reports whether a file system takes the name for .git. NTFS takes a backslash for a
// slash, so that each part between them counts.
func isDotGit(name string) bool {
	if isHFSName(name, ".git") {
		return true
	}
	for part := range strings.SplitSeq(name, `\`) {
		if isNTFSDotGit(part) {
			return true
		}
	}
	return false
}

// IsModules reports whether a file system takes the name for .gitmodules, which must not be a
// symbolic link.
func IsModules(name string) bool {
	short := strings.ToLower(strings.TrimRight(name, ". "))
	for _, alias := range []string{"gitmod~1", "gitmod~2", "gitmod~3", "gitmod~4", "gi7eba~1"} {
		if short == alias {
			return true
		}
	}
	return short == ".gitmodules" || isHFSName(name, ".gitmodules")
}

// isNTFSDotGit reports whether NTFS takes the name for .git: in any case, by its short name, with
// dots and spaces at its end or with the name of a stream.
func isNTFSDotGit(name string) bool {
	name, _, _ = strings.Cut(name, ":")
	name = strings.TrimRight(name, ". ")
	return strings.EqualFold(name, ".git") || strings.EqualFold(name, "git~1")
}

// isHFSName reports whether HFS+ takes the name for another one, which is in lower case: it ignores
// case and some code points. Bytes that are not UTF-8 end the comparison, as in git.
func isHFSName(name, other string) bool {
	for _, r := range name {
		switch {
		case isIgnoredByHFS(r):
			continue
		case r == utf8.RuneError:
			return other == ""
		case 'A' <= r && r <= 'Z':
			r += 'a' - 'A'
		}
		if other == "" || r != rune(other[0]) {
			return false
		}
		other = other[1:]
	}
	return other == ""
}

func isIgnoredByHFS(r rune) bool {
	return 0x200c <= r && r <= 0x200f || 0x202a <= r && r <= 0x202e || 0x206a <= r && r <= 0x206f || r == 0xfeff
}
