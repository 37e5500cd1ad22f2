package match

import (
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"hew/schema"
)

// Collection is a list that was read from the host. Its indexes are built on first use.
type Collection struct {
	query schema.Query
	state schema.State
	err   error
	objs  []schema.Object
	byID  map[string]int
	byKey map[string]map[string][]int // attribute → key text → objects
}

// NewCollection returns the collection that the host returned for a query.
func NewCollection(q schema.Query, r schema.Reading) *Collection {
	c := &Collection{query: q, state: r.State, err: r.Err, objs: r.Objects, byID: make(map[string]int, len(r.Objects))}
	for i := range c.objs {
		c.byID[c.objs[i].ID] = i
	}
	return c
}

// Objects returns the objects in the order of the host. Callers must not modify the slice.
func (c *Collection) Objects() []schema.Object { return c.objs }

// Location returns the path and query of the collection on the host.
func (c *Collection) Location() schema.Collection { return c.query.Collection }

// Present reports whether the collection could be read.
func (c *Collection) Present() bool { return c.state == schema.Present }

// ReadState returns the state in which the read ended.
func (c *Collection) ReadState() schema.State { return c.state }

// Unreadable returns why the collection of an owner could not be read, or "" if it was.
func (c *Collection) Unreadable(owner *schema.Ref) string {
	if c.Present() {
		return ""
	}
	return Unreadable(c.query.Kind, owner, c.state, c.err)
}

// Find returns the object with the given id.
func (c *Collection) Find(id string) (schema.Object, bool) {
	i, ok := c.byID[id]
	if !ok {
		return schema.Object{}, false
	}
	return c.objs[i], true
}

// Match returns the indexes of the objects whose attribute a has one of the key texts.
func (c *Collection) Match(a *schema.Attr, texts []string) []int {
	index := c.byKey[a.Name]
	if index == nil {
		index = make(map[string][]int, len(c.objs))
		for i := range c.objs {
			if v, ok := c.objs[i].Value.Get(a.Name); ok && !v.IsNull() {
				for _, t := range a.KeyTexts(v) {
					index[t] = append(index[t], i)
				}
			}
		}
		if c.byKey == nil {
			c.byKey = map[string]map[string][]int{}
		}
		c.byKey[a.Name] = index
	}
	for _, t := range texts {
		if found := index[t]; len(found) > 0 {
			return found
		}
	}
	return nil
}

// Fitting returns the indexes of the objects that have the key v and match the other identifying
// attributes of want.
func (c *Collection) Fitting(want schema.Object, a *schema.Attr, v cty.Value) []int {
	return slices.DeleteFunc(slices.Clone(c.Match(a, a.KeyTexts(v))), func(i int) bool {
		return !want.Kind.Match.Fits(want, c.objs[i])
	})
}

// lookupName returns the indexes of the objects whose name, key or id is the given text.
func (c *Collection) lookupName(k *schema.Kind, name string) []int {
	if a := k.Attr(k.Called); a != nil {
		if found := c.Match(a, a.KeyTexts(cty.StringVal(name))); len(found) > 0 {
			return found
		}
	}
	if found := c.lookupKey(k, name); len(found) > 0 {
		return found
	}
	if i, ok := c.byID[name]; ok {
		return []int{i}
	}
	return nil
}

// lookupKey returns the indexes of the objects whose key is the given text.
func (c *Collection) lookupKey(k *schema.Kind, name string) []int {
	for _, key := range k.Match.Keys {
		a := k.Attr(key)
		texts := []string{"name:" + strings.ToLower(name), "id:" + name}
		if a.RefKind() == "" {
			v := cty.StringVal(name)
			if to, err := convert.Convert(v, a.Type); err == nil {
				v = to
			}
			texts = []string{schema.Encode(a.Canonical(v))}
		}
		if found := c.Match(a, texts); len(found) > 0 {
			return found
		}
	}
	return nil
}

// AllIndexes returns the indexes of all objects of the collection.
func (c *Collection) AllIndexes() []int {
	all := make([]int, len(c.objs))
	for i := range all {
		all[i] = i
	}
	return all
}
