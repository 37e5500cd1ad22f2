package reconcile

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// collection is a list that was read, indexed as people ask for it.
type collection struct {
	query schema.Query
	state schema.State
	err   error
	objs  []schema.Object
	byID  map[string]int
	byKey map[string]map[string][]int // attribute → key text → objects
}

func newCollection(q schema.Query, r schema.Reading) *collection {
	c := &collection{query: q, state: r.State, err: r.Err, objs: r.Objects, byID: make(map[string]int, len(r.Objects))}
	for i := range c.objs {
		c.byID[c.objs[i].ID] = i
	}
	return c
}

func (c *collection) find(id string) (schema.Object, bool) {
	i, ok := c.byID[id]
	if !ok {
		return schema.Object{}, false
	}
	return c.objs[i], true
}

// match returns the objects whose attribute a holds one of the key texts.
func (c *collection) match(a *schema.Attr, texts []string) []int {
	index := c.byKey[a.Name]
	if index == nil {
		index = make(map[string][]int, len(c.objs))
		for i := range c.objs {
			if v, ok := c.objs[i].Value.Get(a.Name); ok && !v.IsNull() {
				for _, t := range keyTexts(a, v) {
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

// fitting returns the objects that a declared one with that key can be.
func (c *collection) fitting(want schema.Object, a *schema.Attr, v cty.Value) []int {
	return slices.DeleteFunc(slices.Clone(c.match(a, keyTexts(a, v))), func(i int) bool {
		return !want.Kind.Match.Fits(want, c.objs[i])
	})
}
