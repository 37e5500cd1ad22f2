package testacc

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
)

// stating are the attributes that the life cycle states.
func (l *life) stating() (list []attribute) {
	for _, a := range l.kind.Attributes {
		if a.Mode != "computed" && !leaves(l.kind.Name+"."+a.Name) {
			list = append(list, a)
		}
	}
	return list
}

// stated is the block with everything in it; what cannot change stays at round 0.
func (l *life) stated(round int) string {
	return l.block(l.stating(), func(a attribute) string {
		if a.Fixed || a.Once {
			return l.value(a, 0)
		}
		return l.value(a, round)
	})
}

// required is the block with no more than it takes.
func (l *life) required() string {
	must := slices.DeleteFunc(l.stating(), func(a attribute) bool { return !l.takes(a) })
	return l.block(must, func(a attribute) string { return l.value(a, 0) })
}

// defaults is the block with every default written out.
func (l *life) defaults() string {
	known := slices.DeleteFunc(l.stating(), func(a attribute) bool { return !l.takes(a) && a.Default == nil })
	return l.block(known, func(a attribute) string {
		if l.takes(a) {
			return l.value(a, 0)
		}
		data, err := json.Marshal(a.Default)
		require.NoError(l, err)
		return string(data)
	})
}

// takes tells whether the object cannot be stated without an attribute: one that is required, or,
// where none of those is that it is known by, the first of them.
func (l *life) takes(a attribute) bool {
	must := a.Mode == "required" || slices.Contains(needed, l.kind.Name+"."+a.Name)
	if must || len(l.kind.Key) == 0 {
		return must
	}
	required := func(of attribute) bool { return of.Mode == "required" && slices.Contains(l.kind.Key, of.Name) }
	return a.Name == l.kind.Key[0] && !slices.ContainsFunc(l.kind.Attributes, required)
}

func (l *life) block(attributes []attribute, value func(attribute) string) string {
	lines := []string{fmt.Sprintf("resource %q \"it\" {", l.kind.Name)}
	for _, a := range attributes {
		lines = append(lines, fmt.Sprintf("  %s = %s", a.Name, value(a)))
	}
	if code := lifts[l.kind.Name]; code != "" {
		lines = append(lines, fmt.Sprintf("  lifecycle { allow = [%q] }", code))
	}
	return strings.Join(append(lines, "}", ""), "\n")
}

// value is what an attribute is set to. References lead to what is made for that, one for each
// round.
func (l *life) value(a attribute, round int) string {
	pair, own := pairs[l.kind.Name+"."+a.Name]
	switch {
	case own && a.Reference != "": // what a list leads to has a say in what is listed
		return pair[round]
	case a.Reference == "user":
		return []string{`"alice"`, `"bob"`}[round]
	case a.Reference != "":
		name := []string{"base", "other"}[round]
		if l.kind.Element != "" {
			name += "_set" // a set resource must be alone in its list
		}
		if a.Name != a.Reference {
			name += "_" + a.Name // beside the one that it belongs to
		}
		if strings.HasPrefix(a.Type, "set(") {
			return "[" + l.stand(a.Reference, name) + "]"
		}
		return l.stand(a.Reference, name)
	}
	v, err := literal(l.kind, a, round)
	require.NoError(l, err)
	return v
}

// stand declares something that the object refers to, once, and returns the reference.
func (l *life) stand(reference, name string) string {
	ref := fmt.Sprintf("%s.%s.id", reference, name)
	head := fmt.Sprintf("resource %q %q {\n", reference, name)
	if strings.Contains(l.ground, head) {
		return ref
	}
	body := ""
	for _, a := range l.known[reference].Attributes {
		switch {
		case a.Name == "path":
			body += fmt.Sprintf("  path = %q\n", "life-of-"+l.home+strings.ReplaceAll(l.kind.Name, "_", "-")+"-"+name)
		case a.Name == "visibility":
			body += "  visibility = \"internal\"\n"
		case a.Mode == "required" && a.Reference != "":
			body += fmt.Sprintf("  %s = %s\n", a.Name, l.stand(a.Reference, name))
		}
	}
	l.ground += head + body + "}\n"
	return ref
}

// lifted is the block that lets the object go where a guard would stop that, and that empties a
// set, which would be released.
func (l *life) lifted() string {
	code := lifts[l.kind.Name]
	if code == "" && l.kind.Element == "" {
		return ""
	}
	allow := ""
	if code != "" {
		allow = fmt.Sprintf("    allow = [%q]\n", code)
	}
	return fmt.Sprintf("removed {\n  from = %s.it\n  lifecycle {\n    destroy = true\n%s  }\n}\n", l.kind.Name, allow)
}

// declare makes the block the configuration, with what it needs.
func (l *life) declare(block string) {
	require.NoError(l, os.WriteFile(filepath.Join(l.dir, "main.hcl"), []byte(l.ground+block), 0o600))
}
