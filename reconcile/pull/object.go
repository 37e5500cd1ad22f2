package pull

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/rewrite"
	"hew/schema"
	"hew/schema/urlmask"
)

// item is a live object and the block that is to declare it.
type item struct {
	kind    *schema.Kind
	obj     schema.Object
	name    string // of the block
	lines   []line
	notes   []note  // about what the block does not state
	members []*item // of a set
}

// note tells why an attribute is not stated.
type note struct{ attr, text string }

// line states one attribute in a block.
type line struct {
	attr            *schema.Attr
	value           cty.Value // cty.NilVal for a secret
	secret          secrecy
	redacted        string   // of a secret URL: the URL without its secrets
	presenceUnknown bool     // the host does not tell whether the secret is set
	secretKeys      []string // of a map: the keys with secret values
	note            string
}

// desired returns the object as the configuration will state it.
func (it *item) desired() schema.Object {
	o := schema.Object{Kind: it.obj.Kind}
	for _, l := range it.lines {
		switch {
		case l.secret == requiredSecret:
			o.Value.Set(l.attr, cty.UnknownVal(l.attr.Type))
		case l.secret == optionalSecret:
		case len(l.secretKeys) > 0:
			o.Value.Set(l.attr, l.withUnknownKeys())
		default:
			o.Value.Set(l.attr, l.value)
		}
	}
	return o
}

// summary returns the line in short form for a comment.
func (l line) summary() string {
	if v := l.value; v != cty.NilVal && v.Type().IsPrimitiveType() {
		return l.attr.Name + " = " + rewrite.Expression(v)
	}
	return l.attr.Name
}

// states reports whether the block states an attribute.
func (it *item) states(name string) bool {
	return slices.ContainsFunc(it.lines, func(l line) bool { return l.attr.Name == name })
}

// hasOnlyOwner reports whether the block states nothing but the owner.
func (it *item) hasOnlyOwner() bool {
	owner := it.obj.Kind.Owner()
	return !slices.ContainsFunc(it.lines, func(l line) bool { return l.attr != owner })
}

// newItem returns the item that declares a live object as it is. why is the reason if it cannot be
// declared.
func newItem(o schema.Object) (it *item, why string) {
	it = &item{kind: o.Kind, obj: o}
	for a := range o.Kind.Arguments() {
		l, ok, why := newLine(o, a)
		switch {
		case ok:
			it.lines = append(it.lines, l)
			if l.note != "" {
				it.notes = append(it.notes, note{a.Name, l.note})
			}
		case why != "" && a.Mode == schema.Required:
			return nil, a.Name + " is required, and its value cannot be written: " + why
		case why != "":
			it.notes = append(it.notes, note{a.Name, a.Name + " is omitted: " + why})
		}
	}
	return it, it.satisfyCheck()
}

// newLine returns the line for an attribute; ok is false if it needs none, or if it cannot be
// stated for the reason why.
func newLine(o schema.Object, a *schema.Attr) (l line, ok bool, why string) {
	v, known := o.Value.Get(a.Name)
	if known {
		v, _ = v.UnmarkDeep()
	}
	l = line{attr: a, value: v}
	mustState := a.Mode == schema.Required
	switch {
	case a.Local() || a.SentOnce() || schema.Stated(o, a.Instead):
		return l, false, ""
	case a.IsSecret():
		return secretLine(o, l, known)
	case a.Partial() && known:
		return partialLine(o, l)
	case !known || v.IsNull():
		if mustState {
			why = "the host does not show it"
		}
		return l, false, why
	case !mustState && isDefault(o, a, v):
		return l, false, ""
	}
	if l, leaks := removeCredentials(l); leaks {
		return l, true, ""
	} else if err := checkWritten(a, l.value); err != nil {
		return l, false, singleLine(err.Error())
	} else {
		return l, true, ""
	}
}

// isDefault reports whether a value need not be stated: it is the default, or empty if the default
// is not known.
func isDefault(o schema.Object, a *schema.Attr, v cty.Value) bool {
	switch {
	case a.Default != nil:
		return a.Equal(v, a.Default(o))
	case a.Usual != nil && a.Equal(v, a.Usual(o)):
		return true
	}
	return isEmpty(v)
}

// isEmpty reports whether a value is null or empty.
func isEmpty(v cty.Value) bool {
	switch {
	case v.IsNull():
		return true
	case v.Type() == cty.String:
		return v.AsString() == ""
	}
	return v.CanIterateElements() && v.LengthInt() == 0
}

// checkWritten fails if hew would refuse the value in a configuration.
func checkWritten(a *schema.Attr, v cty.Value) error {
	return rewrite.CheckMeaning(a, rewrite.SourceValue(a, v), v)
}

// partialLine returns the line for a map that the host shows in part: the values that are shown and
// not secret, and the secret keys that the configuration must state.
func partialLine(o schema.Object, l line) (line, bool, string) {
	visible := map[string]cty.Value{}
	var secrets []string
	if !l.value.IsNull() {
		for key, v := range l.value.AsValueMap() {
			switch {
			case schema.Text(v) == "" || l.attr.Hides(key, v):
			case urlmask.HasSecret(schema.Text(v)):
				secrets = append(secrets, key)
			default:
				visible[key] = v
			}
		}
	}
	for _, key := range l.attr.RequiredKeys(o) {
		if _, shown := visible[key]; !shown {
			l.secretKeys = append(l.secretKeys, key)
		}
	}
	secrets = slices.DeleteFunc(secrets, func(key string) bool {
		return slices.Contains(l.secretKeys,
			key)
	}) // these become variables
	if len(secrets) > 0 {
		slices.Sort(secrets)
		l.note = fmt.Sprintf("%s in %s is omitted: it contains a secret", strings.Join(secrets, ", "), l.attr.Name)
	}
	if len(visible)+len(l.secretKeys) == 0 {
		return l, false, ""
	}
	l.value = cty.MapValEmpty(cty.String)
	if len(visible) > 0 {
		l.value = cty.MapVal(visible)
	}
	return l, true, ""
}

// withUnknownKeys returns the map with its secret keys, whose values are unknown.
func (l line) withUnknownKeys() cty.Value {
	all := map[string]cty.Value{}
	for key, v := range l.value.Elements() {
		all[key.AsString()] = v
	}
	for _, key := range l.secretKeys {
		all[key] = cty.UnknownVal(cty.String)
	}
	return cty.MapVal(all)
}

// satisfyCheck adds and removes lines until the check of the kind passes. why is the reason if it
// cannot.
func (it *item) satisfyCheck() (why string) {
	check := it.obj.Kind.Check
	for check != nil {
		wrong := check(it.desired())
		if len(wrong) == 0 {
			return ""
		}
		name, _, _ := strings.Cut(wrong[0].Attr, "[")
		if it.addCompanions(name) {
			continue
		}
		i := slices.IndexFunc(it.lines, func(l line) bool { return l.attr.Name == name })
		if i < 0 || it.lines[i].attr.Mode == schema.Required {
			return wrong[0].Text
		}
		if !wrong[0].Moot {
			it.notes = append(it.notes, note{name, fmt.Sprintf("%s is omitted: %s", it.lines[i].summary(),
				wrong[0].Text)})
		}
		it.lines = slices.Delete(it.lines, i, i+1)
	}
	return ""
}

// addCompanions states the attributes that go with the named one (Attr.SentWith), and reports
// whether there were any.
func (it *item) addCompanions(name string) (any bool) {
	for a := range it.obj.Kind.Arguments() {
		v := it.obj.Get(a.Name)
		if !slices.Contains(a.SentWith(), name) || it.states(a.Name) || a.IsSecret() || v.IsNull() ||
			checkWritten(a, v) != nil {
			continue
		}
		it.lines, any = append(it.lines, line{attr: a, value: v}), true
	}
	return any
}
