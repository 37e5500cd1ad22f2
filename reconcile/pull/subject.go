package pull

import (
	"fmt"
	"slices"
	"strings"

	"hew/schema"
)

// Subject is what is pulled: one thing with all that is in it, or, without a
// kind, all that there is.
type Subject struct {
	Kind *schema.Kind
	Path string
}

// everything is the word for all that there is.
const everything = "instance"

func (s Subject) String() string {
	if s.Kind == nil {
		return everything
	}
	return s.Kind.Name + "/" + s.Path
}

// ParseSubject reads KIND/PATH, or instance.
func ParseSubject(kinds schema.Catalog, text string) (Subject, error) {
	if text == everything {
		return Subject{}, nil
	}
	name, path, _ := strings.Cut(text, "/")
	path = strings.Trim(path, "/")
	if k := kinds.Resources[name]; k != nil && holder(k) && path != "" {
		return Subject{k, path}, nil
	}
	forms := append(Subjects(kinds), everything)
	for i, form := range forms[:len(forms)-1] {
		forms[i] = form + "PATH"
	}
	return Subject{}, fmt.Errorf("%q names nothing that can be pulled: it is one of %s, with the full path", text, strings.Join(forms, ", "))
}

// Subjects are how subjects with a path begin.
func Subjects(kinds schema.Catalog) (forms []string) {
	for _, name := range kinds.Names() {
		if holder(kinds.Resources[name]) {
			forms = append(forms, name+"/")
		}
	}
	slices.Sort(forms)
	return forms
}

// holder tells whether other things are in those of a kind: it has a path that
// goes on from its owner's.
func holder(k *schema.Kind) bool { return k.Tree != nil && k.Tree.Owner != "" }
