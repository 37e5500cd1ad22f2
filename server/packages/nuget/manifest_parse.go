package nuget

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
)

// The limits of manifests, beside their size.
const (
	maxDepth      = 50      // elements in each other
	maxElements   = 50_000  // a manifest of 200 dependencies on each of 20 frameworks has 4,000
	maxAttributes = 100_000 // together; the reader keeps those of an element in memory
)

// manifestParser collects what a manifest says, element by element.
type manifestParser struct {
	path         []string          // local names of the open elements
	text         strings.Builder   // of the open element, if it is one of a text
	texts        map[string]string // of the elements of package/metadata, by local name
	types        []string
	dependencies []DependencyGroup
	groups       map[string]int                 // index in dependencies by folded framework
	seen         map[groupedDependency]struct{} // what dependencies has
	group        int                            // index of the open group, in dependencies
}

// groupedDependency is a dependency of a group, for finding equal ones.
type groupedDependency struct {
	group     int
	id, bound string
}

// parse reads a whole document.
func (p *manifestParser) parse(text string) error {
	if hasLargeTag(text) {
		return errAttributes()
	}
	decoder := xml.NewDecoder(strings.NewReader(text))
	for elements, attributes := 0, 0; ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return invalid("the manifest is not valid XML: %w", err)
		}
		switch token := token.(type) {
		case xml.Directive:
			return invalid("the manifest has a document type")
		case xml.StartElement:
			if elements++; elements > maxElements || len(p.path) == maxDepth {
				return invalid("the manifest has more elements than are allowed")
			}
			if attributes += len(token.Attr); attributes > maxAttributes {
				return errAttributes()
			}
			p.path = append(p.path, token.Name.Local)
			p.start(token)
		case xml.EndElement:
			p.end()
			p.path = p.path[:len(p.path)-1]
		case xml.CharData:
			if len(p.path) == 3 {
				p.text.Write(token)
			}
		}
	}
}

func errAttributes() error { return invalid("the manifest has more attributes than are allowed") }

// hasLargeTag reports whether a tag of a document has more attributes than are allowed together:
// the decoder would keep them all before it returns the first.
func hasLargeTag(text string) bool {
	for found := true; found; {
		if _, text, found = strings.Cut(text, "<"); strings.Count(beginningTag(text), "=") > maxAttributes {
			return true
		}
	}
	return false
}

// beginningTag returns the tag whose "<" is before a text, up to its end. It is empty for comments,
// CDATA and instructions.
func beginningTag(text string) string {
	if text != "" && strings.ContainsAny(text[:1], "!?") {
		return ""
	}
	quote := byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case c == '<': // never in a tag
			return text[:i]
		case c == quote:
			quote = 0
		case quote != 0:
		case c == '"', c == '\'':
			quote = c
		case c == '>':
			return text[:i]
		}
	}
	return text
}

// at reports whether the open elements are package, metadata and these.
func (p *manifestParser) at(names ...string) bool {
	return len(p.path) == len(names)+2 && p.path[0] == "package" && p.path[1] == "metadata" &&
		slices.Equal(p.path[2:], names)
}

// start reads the attributes of an element.
func (p *manifestParser) start(e xml.StartElement) {
	switch {
	case len(p.path) == 3:
		p.text.Reset()
	case p.at("packageTypes", "packageType"):
		if name := attribute(e, "name"); name != "" {
			p.types = append(p.types, name)
		}
	case p.at("dependencies", "group"):
		p.group = p.groupOf(attribute(e, "targetFramework"))
	case p.at("dependencies", "group", "dependency"):
		p.add(p.group, e)
	case p.at("dependencies", "dependency"):
		p.add(p.groupOf(""), e)
	}
}

// end keeps the text of an element, unless there was one before.
func (p *manifestParser) end() {
	if len(p.path) != 3 || p.path[0] != "package" || p.path[1] != "metadata" {
		return
	}
	if name := p.path[2]; p.texts[name] == "" && slices.Contains(textElements, name) {
		p.texts[name] = strings.TrimSpace(p.text.String())
	}
}

// textElements are the elements of package/metadata whose text counts.
var textElements = strings.Fields("id version title authors description summary projectUrl licenseUrl iconUrl tags")

// groupOf returns the index of the group of a framework, which is made if there is none yet.
func (p *manifestParser) groupOf(framework string) int {
	key := strings.ToLower(framework)
	at, ok := p.groups[key]
	if !ok {
		at = len(p.dependencies)
		p.groups[key] = at
		p.dependencies = append(p.dependencies, DependencyGroup{TargetFramework: framework})
	}
	return at
}

// add adds a dependency to a group, unless the group has it.
func (p *manifestParser) add(group int, e xml.StartElement) {
	id := attribute(e, "id")
	if id == "" {
		return
	}
	bound, ok := NormalRange(attribute(e, "version"))
	if !ok {
		bound = AnyRange
	}
	key := groupedDependency{group: group, id: FoldName(id), bound: strings.ToLower(bound)}
	if _, ok := p.seen[key]; ok {
		return
	}
	p.seen[key] = struct{}{}
	to := &p.dependencies[group]
	to.Dependencies = append(to.Dependencies, Dependency{ID: id, Range: bound})
}

// attribute returns the value of an attribute, whatever its namespace.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return strings.TrimSpace(a.Value)
		}
	}
	return ""
}
