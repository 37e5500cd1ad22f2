package pull

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// names are those that are taken, of blocks, variables and files. The same things
// in the same order have the same names.
type names map[string]bool

// free is a name that nobody has so far, in a space of names.
func (n names) free(space, name, between string) string {
	one := name
	for i := 2; n[space+one]; i++ {
		one = fmt.Sprint(name, between, i)
	}
	n[space+one] = true
	return one
}

// block names a block after what it is about.
func (n names) block(k *schema.Kind, about string) string {
	return n.free(k.Name+".", identifier(about), "_")
}

// variable names a variable after the block and the attribute that it is for.
func (n names) variable(it *item, of string) string {
	return n.free("var.", it.name+"_"+identifier(of), "_")
}

// longestFile is how long the name of a file gets, of which most systems take 255
// bytes.
const longestFile = 200

var (
	notInFile = regexp.MustCompile(`[^a-z0-9_]+`)
	// taken are names with a meaning: to those who read a configuration, or to Windows.
	taken = regexp.MustCompile(`(^|_)override$|^(con|prn|aux|nul|com\d|lpt\d)$`)
)

// file names the file of a group. A path has dots: one that began with a dot would
// be read by nobody, and whatever a host says, no file is outside of the directory.
func (n names) file(path string) string {
	name := cmp.Or(strings.Trim(notInFile.ReplaceAllString(strings.ToLower(path), "-"), "-"), "unnamed")
	name = name[:min(len(name), longestFile)]
	if taken.MatchString(name) {
		name += "-group"
	}
	return n.free("file ", name, "-") + ".hcl"
}

// identifier makes a name of a text that can stand in an address.
func identifier(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	name := strings.Trim(b.String(), "_")
	if !hclsyntax.ValidIdentifier(name) {
		name = "_" + name
	}
	if !hclsyntax.ValidIdentifier(name) || name == "_" {
		return "unnamed"
	}
	return name
}

func (it *item) address() string { return it.kind.Name + "." + it.name }

// name names the block of an object: after its owner, and, where the owner may
// have several of it, itself.
func (p *puller) name(s *container, it *item) {
	var parts []string
	if s.kind != nil {
		parts = append(parts, s.path)
	}
	if it.members == nil && it.obj.Kind.Holds == schema.Many {
		parts = append(parts, it.title())
		for _, also := range it.kind.Match.Also {
			if it.says(also) {
				parts = append(parts, label(it.obj.Get(also)))
			}
		}
	}
	it.name = p.names.block(it.kind, cmp.Or(strings.Join(parts, "/"), everything))
}

func (it *item) title() string { return title(it.obj) }

// title is what people call an object. There is nothing secret in it.
func title(o schema.Object) string {
	k := o.Kind
	if k.Tree != nil {
		return fullPath(o)
	}
	for _, name := range append([]string{k.Called}, k.Match.Keys...) {
		if v, told := o.Value.Get(name); told && !k.Attr(name).IsSecret() {
			if t := label(v); t != "" {
				return t
			}
		}
	}
	return o.ID
}

// longest is how long a label gets.
const longest = 60

// label is the text of a key: of an address what everybody may see.
func label(v cty.Value) string {
	if r := schema.AsRef(v); r != nil {
		return r.String()
	}
	s := schema.Text(v)
	if address := addressed.FindString(s); address != "" {
		s = public(address)
	}
	s = strings.Join(strings.Fields(s), " ")
	if short := []rune(s); len(short) > longest {
		s = string(short[:longest])
	}
	return s
}

// keyText is an object for people who look for it on the host.
func keyText(o schema.Object) string {
	if t := title(o); t != o.ID {
		return fmt.Sprintf("%s (id %s)", t, o.ID)
	}
	return "id " + o.ID
}
