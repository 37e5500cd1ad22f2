package provider

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// members agrees with encoding/json on every valid object.
func FuzzMembers(f *testing.F) {
	for _, seed := range []string{
		`{}`, ` { } `, `{"a":1}`, `{"a" : "x\"}," , "b":[{"c":"]"},{}],"d":null}`,
		`{"a\\":{"a":{"a":true}},"":-1.5e3}`, `[1,{"a":2}]`, `"a"`, `null`, `{"a":{"b":":,"}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			return
		}
		var want map[string]json.RawMessage
		_ = json.Unmarshal([]byte(text), &want) // of no object: nothing
		got := map[string]json.RawMessage{}
		for name, value := range members([]byte(text)) {
			var n string
			require.NoError(t, json.Unmarshal([]byte(`"`+string(name)+`"`), &n))
			got[n] = value
		}
		require.Len(t, got, len(want))
		for name, value := range want {
			require.Equal(t, string(value), string(got[name]), "%q of %s", name, text)
		}
	})
}

func TestMembersStops(t *testing.T) {
	t.Parallel()
	n := 0
	for range members([]byte(`{"a":1,"b":2,"c":3}`)) {
		if n++; n == 2 {
			break
		}
	}
	require.Equal(t, 2, n)
}

// What is encoded and answered as it was sent is decoded as the same.
func TestEveryAttributeSurvivesTheRoundTrip(t *testing.T) {
	t.Parallel()
	every(t, func(t *testing.T, k *Kind) {
		answer := map[string]any{"id": 7, "group_id": 7, "groups": []any{map[string]any{"id": 3}}}
		want := schema.Object{Kind: &k.Kind}
		for i := range k.Table {
			row, a := &k.Table[i], &k.Attrs[i]
			if a.RefKind() != "" || a.IsSecret() || a.SentOnce() || a.Name == idName || k.Data != nil || k.Set != nil {
				continue
			}
			if row.AfterCreate && row.fieldName() != row.createName() {
				continue // an event is sent, and a state answered
			}
			if row.Decode != nil {
				continue // another form is answered
			}
			v := sample(t, a)
			want.Value.Set(a, v)
			answer[row.fieldName()] = row.encoded(v)
		}
		got, err := newDecoder(k, "3", nil).object([]byte(jsonOf(t, answer)))
		require.NoError(t, err)
		if k.API.ID == "" || k.API.ID == "group_id" { // else it is made of what it holds
			require.Equal(t, "7", got.ID)
		}
		for a, v := range want.Value.All() {
			require.True(t, a.Equal(v, got.Get(a.Name)), "%s: %#v came back as %#v", a.Name, v, got.Get(a.Name))
		}
	})
}

// sample is a value that is neither the zero one nor the default, if the type
// has one that the attribute accepts.
func sample(t *testing.T, a *schema.Attr) cty.Value {
	t.Helper()
	candidates := []cty.Value{cty.StringVal("2999-01-01"), cty.NumberIntVal(77), cty.NumberIntVal(3),
		cty.NumberIntVal(90000)}
	switch {
	case a.Type == cty.String && a.Default != nil:
		candidates = append(candidates, a.Default(schema.Object{}))
	case a.Type == cty.Bool:
		candidates = []cty.Value{cty.True}
	case a.Type.IsSetType() && a.Type.ElementType() == cty.Number:
		candidates = []cty.Value{cty.SetVal([]cty.Value{cty.NumberIntVal(4), cty.NumberIntVal(2)})}
	case a.Type.IsSetType():
		candidates = []cty.Value{cty.SetVal([]cty.Value{cty.StringVal("b"), cty.StringVal("a")})}
	case a.Type.IsListType():
		candidates = []cty.Value{cty.ListVal([]cty.Value{cty.StringVal("b"), cty.StringVal("a")})}
	case a.Type.IsObjectType():
		fields := map[string]cty.Value{}
		for name, ty := range a.Type.AttributeTypes() {
			fields[name] = cty.NullVal(ty)
		}
		candidates = []cty.Value{cty.ObjectVal(fields)}
	}
	for _, word := range []string{"private", "http", "developer", "enabled", "clone", "https://x.example/"} {
		candidates = append(candidates, cty.StringVal(word))
	}
	for _, v := range append(candidates, samples(a)...) {
		fits := v.Type().Equals(a.Type) || a.Type == cty.DynamicPseudoType && v.Type() == cty.Number
		if fits && (a.Accepts.Check == nil || a.Accepts.Check(v) == nil) {
			return v
		}
	}
	if a.Default != nil {
		return a.Default(schema.Object{})
	}
	t.Fatalf("no sample for %s", a.Name)
	return cty.NilVal
}

// D04: false that is answered is false, and not missing.
func TestDecodeKeepsFalseNullAndWhatIsMissingApart(t *testing.T) {
	t.Parallel()
	o, err := newDecoder(the(group), "",
		nil).object([]byte(`{"id":1,"full_path":"a/b","parent_id":9,"lfs_enabled":false,"auto_devops_enabled":null,"description":null}`))
	require.NoError(t, err)
	require.True(t, o.Get("lfs_enabled").RawEquals(cty.False))
	require.True(t, o.Get("auto_devops_enabled").RawEquals(cty.NullVal(cty.Bool)))
	require.True(t, o.Kind.Attr("description").Equal(o.Get("description"), cty.StringVal("")))
	_, answered := o.Value.Get("visibility")
	require.False(t, answered)
	require.Equal(t, schema.Ref{ID: "9", Path: "a"}, *schema.AsRef(o.Get("parent")))
	require.Equal(t, schema.Present, o.State)
}

func TestDecodeRefusesWhatItDoesNotUnderstand(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		`{"path":"x"}`:                          "has no id",
		`{"id":1,"lfs_enabled":{"a":1}}`:        "lfs_enabled of group 1",
		`{"id":1,"two_factor_grace_period":[]}`: "two_factor_grace_period",
	} {
		_, err := newDecoder(the(group), "", nil).object([]byte(text))
		require.ErrorContains(t, err, says)
	}
}

// TestTraces: who made an object, and when, is told where somebody asks and the
// answer has it, in whichever way.
func TestTraces(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]*schema.Trace{
		`{"id":1}`: nil,
		`{"id":1,"created_at":null,"updated_at":"2026-01-02T00:00:00Z"}`: {Changed: "2026-01-02T00:00:00Z"},
		`{"id":1,"created_at":"2026-01-01T00:00:00Z","created_by":{"username":"root"}}`: {Made: "2026-01-01T00:00:00Z",
			By: "root"},
		`{"id":1,"created_at":"2026-01-01T00:00:00Z","created_by_name":"Administrator"}`: {Made: "2026-01-01T00:00:00Z",
			By: "Administrator"},
	} {
		d := newDecoder(the(projectHook), "3", []string{})
		o, err := d.object([]byte(answer))
		require.NoError(t, err)
		require.Nil(t, o.Trace)
		d.withTraces()
		o, err = d.object([]byte(answer))
		require.NoError(t, err)
		require.Equal(t, want, o.Trace, answer)
	}
}

// Ten thousand projects of which four attributes are kept stay small.
func TestManyObjectsStaySmall(t *testing.T) {
	const n, limit = 10_000, 15 << 20
	keep := []string{"path", "visibility", "description", "archived"}
	rest := strings.Repeat(`,"unwanted":{"a":[1,2,3],"b":"text"}`, 80)
	d := newDecoder(the(project), "", keep)
	objects := make([]schema.Object, n)
	before := heap()
	for i := range objects {
		var err error
		objects[i], err = d.object(fmt.Appendf(nil,
			`{"id":%d,"path":"service-%d","path_with_namespace":"acme/platform/service-%d","visibility":"private","archived":false,"description":"","namespace":{"id":12,"full_path":"acme/platform"}%s}`,
			i+1, i, i, rest))
		require.NoError(t, err)
	}
	used := heap() - before
	require.Less(t, used, uint64(limit))
	require.Same(t, schema.AsRef(objects[0].Get("namespace")), schema.AsRef(objects[n-1].Get("namespace")))
	t.Logf("%d objects: %.1f MB", n, float64(used)/(1<<20))
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func BenchmarkDecodeProject(b *testing.B) {
	rest := strings.Repeat(`,"unwanted":{"a":[1,2,3],"b":"text"}`, 80)
	d := newDecoder(the(project), "", []string{"path", "visibility"})
	raw := fmt.Appendf(nil, `{"id":1,"path":"service","path_with_namespace":"acme/service","visibility":"private","namespace":{"id":12,"full_path":"acme"}%s}`,
		rest)
	for b.Loop() {
		if _, err := d.object(raw); err != nil {
			b.Fatal(err)
		}
	}
}
