package pull

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
	"hew/schema/pattern"
	"hew/schema/urlmask"
)

// names is the names in use, of blocks, variables and files. The same objects in the same order get
// the same names.
type names map[string]bool

// unique returns name, with a number after between if it is in use in the name space.
func (n names) unique(space, name, between string) string {
	one := name
	for i := 2; n[space+one]; i++ {
		one = fmt.Sprint(name, between, i)
	}
	n[space+one] = true
	return one
}

// block returns a name for a block about something.
func (n names) block(k *schema.Kind, about string) string {
	return n.unique(k.Name+".", identifier(about), "_")
}

// variable returns a name for the variable of an attribute, or key, of a block.
func (n names) variable(it *item, of string) string {
	return n.unique("var.", it.name+"_"+identifier(of), "_")
}

// maxFileName is in bytes; most systems allow 255.
const maxFileName = 200

var (
	invalidInFileName = pattern.Lazy(`[^a-z0-9_]+`)
	// reservedFileName matches names that mean something to hew or to Windows.
	reservedFileName = pattern.Lazy(`(^|_)override$|^(con|prn|aux|nul|com\d|lpt\d)$`)
)

// file returns a file name for a group. It has no dots or slashes, so that hew reads the file and
// no path from a host leads out of the directory.
func (n names) file(path string) string {
	name := cmp.Or(strings.Trim(invalidInFileName().ReplaceAllString(strings.ToLower(path), "-"), "-"), "unnamed")
	name = name[:min(len(name), maxFileName)]
	if reservedFileName().MatchString(name) {
		name += "-group"
	}
	return n.unique("file ", name, "-") + ".hcl"
}

// identifier turns a text into a name that is valid in an address.
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

// nameItem names the block of an object after its container, and after itself if the container may
// have several.
func (p *puller) nameItem(s *container, it *item) {
	var parts []string
	if s.kind != nil {
		parts = append(parts, s.path)
	}
	if it.members == nil && it.obj.Kind.Holds == schema.Many {
		parts = append(parts, it.title())
		for _, also := range it.kind.Match.Also {
			if it.states(also) {
				parts = append(parts, label(it.obj.Get(also)))
			}
		}
	}
	it.name = p.names.block(it.kind, cmp.Or(strings.Join(parts, "/"), wholeInstance))
}

func (it *item) title() string { return title(it.obj) }

// title returns what people call an object, without anything secret.
func title(o schema.Object) string {
	k := o.Kind
	if k.Tree != nil {
		return fullPath(o)
	}
	for _, name := range append([]string{k.Called}, k.Match.Keys...) {
		if v, known := o.Value.Get(name); known && !k.Attr(name).IsSecret() {
			if t := label(v); t != "" {
				return t
			}
		}
	}
	return o.ID
}

// maxLabel is in characters.
const maxLabel = 60

// label returns the text of a key; of a URL, its public part.
func label(v cty.Value) string {
	if r := schema.AsRef(v); r != nil {
		return r.String()
	}
	s := schema.Text(v)
	if address := urlmask.Find(s); address != "" {
		s = urlmask.PublicPart(address)
	}
	s = strings.Join(strings.Fields(s), " ")
	if short := []rune(s); len(short) > maxLabel {
		s = string(short[:maxLabel])
	}
	return s
}

// keyText returns a name and id by which people find an object on the host.
func keyText(o schema.Object) string {
	if t := title(o); t != o.ID {
		return fmt.Sprintf("%s (id %s)", t, o.ID)
	}
	return "id " + o.ID
}
