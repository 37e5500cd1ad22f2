package work

import (
	"fmt"
	"path"
	"strings"
)

// ReferenceFrom returns how the issue is referred to from a group or project with a full path: "#1"
// within its project, "site#1" from its group or a project beside it, and "acme/site#1" from
// elsewhere.
func (i Issue) ReferenceFrom(from string) string {
	return fmt.Sprintf("%s#%d", RelativePath(i.Path, from), i.IID)
}

// RelativeTo returns how the issue is referred to from the group or project with a full path that
// it was asked in; from nowhere if that is empty.
func (i Issue) RelativeTo(asked string) string {
	if below, ok := strings.CutPrefix(i.Path, asked+"/"); ok {
		return fmt.Sprintf("%s#%d", below, i.IID)
	}
	return i.ReferenceFrom(asked)
}

// RelativePath returns the part of a path that is needed to be understood at another one.
func RelativePath(full, from string) string {
	switch {
	case full == from:
		return ""
	case path.Dir(full) == from, path.Dir(full) == path.Dir(from):
		return path.Base(full)
	}
	return full
}
