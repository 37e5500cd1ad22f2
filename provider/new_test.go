package provider

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// A kind of another catalogue, or none, is an error of whatever is asked, and
// nothing is sent.
func TestUnknownKinds(t *testing.T) {
	t.Parallel()
	foreign := &schema.Kind{Name: "runbook", Collection: "runbooks",
		Attrs: []schema.Attr{{Name: "name", Type: cty.String}}}
	for name, c := range map[string]struct {
		kind *schema.Kind
		says string
	}{
		"foreign": {foreign, `this provider has no kind "runbook"`},
		"copied":  {&schema.Kind{Name: "group"}, `take objects from the catalogue of the same provider`},
		"none":    {nil, "the object has no kind"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := serve(t, script{})
			o := schema.Object{Kind: c.kind, ID: "7"}
			_, err := h.Create(t.Context(), o)
			require.ErrorContains(t, err, c.says)
			got, err := h.Update(t.Context(), o, nil)
			require.ErrorContains(t, err, c.says)
			require.Equal(t, o, got, "it stays as it was")
			require.ErrorContains(t, h.Delete(t.Context(), o), c.says)

			r := h.Read(t.Context(), []schema.Query{{Kind: c.kind, Collection: schema.Collection{Path: "runbooks"}}})
			require.Equal(t, schema.Unreadable, r[0].State)
			require.ErrorContains(t, r[0].Err, c.says)
			r = h.Find(t.Context(), []schema.Ask{{Kind: c.kind, ID: "7"}, {Kind: c.kind, Key: "x"}})
			for _, found := range r {
				require.Equal(t, schema.Unreadable, found.State)
				require.ErrorContains(t, found.Err, c.says)
			}
			require.Empty(t, h.asked)
		})
	}
}

// What a kind says of itself and of others has to be there.
func TestSlipsInKinds(t *testing.T) {
	t.Parallel()
	runbook := func(edit func(k *Kind)) Kind {
		k := Kind{
			Kind: schema.Kind{Name: "runbook", Collection: "projects/{project}/runbooks", Match: schema.ByKey("name")},
			Table: []Attr{Reference("project", "project", "The project.", Required, ForceNew),
				String("name", "The name.", Required), ID()},
		}
		edit(&k)
		return k
	}
	for says, edit := range map[string]func(k *Kind){
		"":                                   func(*Kind) {},
		`two kinds named "group"`:            func(k *Kind) { k.Name = "group" },
		`two kinds named ""`:                 func(k *Kind) { k.Name = "" },
		`two rows named "name"`:              func(k *Kind) { k.Table = append(k.Table, String("name", "")) },
		`Match names the attribute "title"`:  func(k *Kind) { k.Match = schema.ByKey("title") },
		`project names the kind "porject"`:   func(k *Kind) { k.Table[0] = Reference("project", "porject", "") },
		`takes the attribute "project"`:      func(k *Kind) { k.Table[0] = String("project", "") },
		`takes an attribute that is not`:     func(k *Kind) { k.Collection = "groups/{group}/runbooks" },
		`the path "books/{slug}" takes`:      func(k *Kind) { k.API.Item = "books/{slug}" },
		`an action is about "state"`:         func(k *Kind) { k.API.After = []Action{{Attr: "state"}} },
		`name names the attribute "url"`:     func(k *Kind) { k.Table[1] = String("name", "", SentWith("url")) },
		`Strict names the kind "book"`:       func(k *Kind) { k.Strict = &schema.Strictness{Under: "book"} },
		`Members names the attribute "name"`: func(k *Kind) { k.Members = &schema.Membership{Who: "name"} },
		`Strict has no Looser`:               func(k *Kind) { k.Strict = &schema.Strictness{} },
		`name has options of a reference`: func(k *Kind) {
			k.Table[1] = String("name", "", Outsiders(schema.KeepOutsiders))
		},
		`name masks a part of its value`: func(k *Kind) {
			k.Table[1] = String("name", "",
				Masked(schema.SecretPart{}))
		},
		`Members names levels`: func(k *Kind) {
			k.Members = &schema.Membership{Who: "project",
				Owner: 50}
		},
		`Set names the kind "page"`:  func(k *Kind) { k.Set = &schema.Set{Element: "page"} },
		`Data names the kind "page"`: func(k *Kind) { k.Data = &schema.Data{Of: "page"} },
		`a filter reads the attribute "age"`: func(k *Kind) {
			k.Data = &schema.Data{Of: "group", Filters: []schema.Filter{{Arg: "name", Reads: []string{"age"}}}}
		},
	} {
		declared := runbook(edit)
		p, err := New(nil, declared)
		if says == "" {
			require.NoError(t, err)
			require.NotNil(t, p.Kinds().Resource("runbook").Attr("name"))
			require.Empty(t, declared.Attrs, "the declaration stays as it is")
			continue
		}
		require.ErrorContains(t, err, says)
		require.Nil(t, p)
	}
}
