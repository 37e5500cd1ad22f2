package pull

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/rewrite"
	"hew/schema"
)

// item is a live object on its way to a block.
type item struct {
	kind    *schema.Kind
	obj     schema.Object
	name    string // of the block
	lines   []line
	notes   []note  // what is not said, and why
	members []*item // of a set
}

// note is on an attribute that is left out.
type note struct{ attr, text string }

// line is what a block says of one attribute.
type line struct {
	attr   *schema.Attr
	value  cty.Value // NilVal for what is secret
	secret secrecy
	shown  string   // what may be seen of an address that is secret
	untold bool     // whether there is such a secret, hosts do not tell
	keys   []string // of a map, whose values are secret
	note   string
}

// want is the object as the configuration will state it.
func (it *item) want() schema.Object {
	o := schema.Object{Kind: it.obj.Kind}
	for _, l := range it.lines {
		switch {
		case l.secret == required:
			o.Value.Set(l.attr, cty.UnknownVal(l.attr.Type))
		case l.secret == optional:
		case len(l.keys) > 0:
			o.Value.Set(l.attr, l.filled())
		default:
			o.Value.Set(l.attr, l.value)
		}
	}
	return o
}

// brief is the line in short, for a comment.
func (l line) brief() string {
	if v := l.value; v != cty.NilVal && v.Type().IsPrimitiveType() {
		return l.attr.Name + " = " + rewrite.Expression(v)
	}
	return l.attr.Name
}

// says tells whether a line states an attribute.
func (it *item) says(name string) bool {
	return slices.ContainsFunc(it.lines, func(l line) bool { return l.attr.Name == name })
}

// bare tells whether nothing is said but whose the object is.
func (it *item) bare() bool {
	owner := it.obj.Kind.Owner()
	return !slices.ContainsFunc(it.lines, func(l line) bool { return l.attr != owner })
}

// stated is what has to be said of a live object so that it is declared as it is.
// With a reason it cannot be declared.
func stated(o schema.Object) (it *item, why string) {
	it = &item{kind: o.Kind, obj: o}
	for a := range o.Kind.Arguments() {
		l, ok, why := say(o, a)
		switch {
		case ok:
			it.lines = append(it.lines, l)
			if l.note != "" {
				it.notes = append(it.notes, note{a.Name, l.note})
			}
		case why != "" && a.Mode == schema.Required:
			return nil, a.Name + " cannot be stated: " + why
		case why != "":
			it.notes = append(it.notes, note{a.Name, a.Name + " is left out: " + why})
		}
	}
	return it, it.settle()
}

// say is the line on an attribute, if it takes one; why tells what keeps it from
// being said.
func say(o schema.Object, a *schema.Attr) (l line, ok bool, why string) {
	v, told := o.Value.Get(a.Name)
	if told {
		v, _ = v.UnmarkDeep()
	}
	l = line{attr: a, value: v}
	must := a.Mode == schema.Required
	switch {
	case a.Local() || a.SentOnce() || schema.Stated(o, a.Instead):
		return l, false, ""
	case a.IsSecret():
		return secretLine(o, l, told)
	case a.Partial() && told:
		return partial(o, l)
	case !told || v.IsNull():
		if must {
			why = "the host does not show it"
		}
		return l, false, why
	case !must && usual(o, a, v):
		return l, false, ""
	}
	if l, leaks := withoutSecrets(l); leaks {
		return l, true, ""
	} else if err := written(a, l.value); err != nil {
		return l, false, oneLine(err.Error())
	} else {
		return l, true, ""
	}
}

// usual tells whether nothing has to be said of a value: it is the default, or,
// where none is known, nothing.
func usual(o schema.Object, a *schema.Attr, v cty.Value) bool {
	switch {
	case a.Default != nil:
		return a.Equal(v, a.Default(o))
	case a.Usual != nil && a.Equal(v, a.Usual(o)):
		return true
	}
	return nothing(v)
}

// nothing tells whether a value says nothing: null, or empty.
func nothing(v cty.Value) bool {
	switch {
	case v.IsNull():
		return true
	case v.Type() == cty.String:
		return v.AsString() == ""
	}
	return v.CanIterateElements() && v.LengthInt() == 0
}

// written is an error where a value could be written, and would be refused.
func written(a *schema.Attr, v cty.Value) error { return rewrite.Means(a, rewrite.Spoken(a, v), v) }

// partial is the line on a map of which hosts show a part: what they show and is
// no secret, and the keys that there have to be.
func partial(o schema.Object, l line) (line, bool, string) {
	open := map[string]cty.Value{}
	var secrets []string
	if !l.value.IsNull() {
		for key, v := range l.value.AsValueMap() {
			switch {
			case schema.Text(v) == "" || l.attr.Hides(key, v):
			case secretText(schema.Text(v)):
				secrets = append(secrets, key)
			default:
				open[key] = v
			}
		}
	}
	for _, key := range l.attr.RequiredKeys(o) {
		if _, shown := open[key]; !shown {
			l.keys = append(l.keys, key)
		}
	}
	secrets = slices.DeleteFunc(secrets, func(key string) bool { return slices.Contains(l.keys, key) }) // a variable has those
	if len(secrets) > 0 {
		slices.Sort(secrets)
		l.note = fmt.Sprintf("%s in %s is left out: there is a secret in it", strings.Join(secrets, ", "), l.attr.Name)
	}
	if len(open)+len(l.keys) == 0 {
		return l, false, ""
	}
	l.value = cty.MapValEmpty(cty.String)
	if len(open) > 0 {
		l.value = cty.MapVal(open)
	}
	return l, true, ""
}

// filled is a map with its secret keys, whose values nobody knows.
func (l line) filled() cty.Value {
	all := map[string]cty.Value{}
	for key, v := range l.value.Elements() {
		all[key.AsString()] = v
	}
	for _, key := range l.keys {
		all[key] = cty.UnknownVal(cty.String)
	}
	return cty.MapVal(all)
}

// settle makes what is said of one object go together, as the kind checks it: what
// has to be said beside another thing is said, and what may not be is left out.
func (it *item) settle() (why string) {
	check := it.obj.Kind.Check
	for check != nil {
		wrong := check(it.want())
		if len(wrong) == 0 {
			return ""
		}
		name, _, _ := strings.Cut(wrong[0].Attr, "[")
		if it.accompany(name) {
			continue
		}
		i := slices.IndexFunc(it.lines, func(l line) bool { return l.attr.Name == name })
		if i < 0 || it.lines[i].attr.Mode == schema.Required {
			return wrong[0].Text
		}
		if !wrong[0].Moot {
			it.notes = append(it.notes, note{name, fmt.Sprintf("%s is left out: %s", it.lines[i].brief(), wrong[0].Text)})
		}
		it.lines = slices.Delete(it.lines, i, i+1)
	}
	return ""
}

// accompany states what goes along with an attribute, in the words of its table,
// and tells whether there was any.
func (it *item) accompany(name string) (any bool) {
	for a := range it.obj.Kind.Arguments() {
		v := it.obj.Get(a.Name)
		if !slices.Contains(a.SentWith(), name) || it.says(a.Name) || a.IsSecret() || v.IsNull() || written(a, v) != nil {
			continue
		}
		it.lines, any = append(it.lines, line{attr: a, value: v}), true
	}
	return any
}
