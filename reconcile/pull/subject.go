package pull

import (
	"fmt"
	"slices"
	"strings"

	"hew/schema"
)

// Subject is what is pulled: a group or project with everything in it, or the whole instance if
// Kind is nil.
type Subject struct {
	Kind *schema.Kind
	Path string
}

// wholeInstance is how people write the subject of the whole instance.
const wholeInstance = "instance"

// String returns the form that ParseSubject reads.
func (s Subject) String() string {
	if s.Kind == nil {
		return wholeInstance
	}
	return s.Kind.Name + "/" + s.Path
}

// ParseSubject reads a subject from its form KIND/PATH or "instance".
func ParseSubject(kinds schema.Catalog, text string) (Subject, error) {
	if text == wholeInstance {
		return Subject{}, nil
	}
	name, path, _ := strings.Cut(text, "/")
	path = strings.Trim(path, "/")
	if k := kinds.Resources[name]; k != nil && isContainer(k) && path != "" {
		return Subject{k, path}, nil
	}
	forms := append(Subjects(kinds), wholeInstance)
	for i, form := range forms[:len(forms)-1] {
		forms[i] = form + "PATH"
	}
	return Subject{}, fmt.Errorf("hew cannot pull %q. Name one of %s, where PATH is the full path", text,
		strings.Join(forms, ", "))
}

// Subjects returns the beginnings of subjects with a path, such as "group/", sorted.
func Subjects(kinds schema.Catalog) (forms []string) {
	for _, name := range kinds.Names() {
		if isContainer(kinds.Resources[name]) {
			forms = append(forms, name+"/")
		}
	}
	slices.Sort(forms)
	return forms
}

// isContainer reports whether objects of a kind contain others: they have paths below their
// owner's.
func isContainer(k *schema.Kind) bool { return k.Tree != nil && k.Tree.Owner != "" }
