package pull_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/provider"
	"hew/reconcile/pull"
	"hew/schema"
)

// fleet is a host with a group of many equal projects. It creates objects when they are read, so
// that whatever stays in memory belongs to the puller.
type fleet struct {
	projects    int
	description string
	reads       atomic.Int64
	peak        atomic.Uint64
	measures    bool
}

func (f *fleet) Kinds() schema.Catalog { return provider.Kinds() }

const labels = 3 // of each project

func (f *fleet) Read(_ context.Context, queries []schema.Query) []schema.Reading {
	readings := make([]schema.Reading, len(queries))
	for i, q := range queries {
		f.reads.Add(1)
		readings[i].Objects = f.list(q)
	}
	f.measure()
	return readings
}

func (f *fleet) list(q schema.Query) (objs []schema.Object) {
	switch q.Kind.Name {
	case "project":
		for i := range f.projects {
			o := f.object(q.Kind, fmt.Sprint(i+100), fmt.Sprintf("p%04d", i))
			for _, name := range q.Keep { // hosts tell all of it
				if a := q.Kind.Attr(name); a.Default != nil && a.Type != cty.DynamicPseudoType && !a.IsSecret() {
					o.Value.Set(a, a.Default(o))
				}
			}
			objs = append(objs, o)
		}
	case "project_label":
		for i := range labels {
			o := schema.Object{Kind: q.Kind, ID: fmt.Sprint(q.Path, i)}
			o.Value.Set(q.Kind.Attr("project"), schema.RefVal(&schema.Ref{ID: strings.Split(q.Path, "/")[1]}))
			o.Value.Set(q.Kind.Attr("name"), cty.StringVal(fmt.Sprint("label ", i)))
			o.Value.Set(q.Kind.Attr("color"), cty.StringVal("#ff0000"))
			objs = append(objs, o)
		}
	}
	return objs
}

func (f *fleet) Find(_ context.Context, asks []schema.Ask) []schema.Reading {
	readings := make([]schema.Reading, len(asks))
	for i, a := range asks {
		f.reads.Add(1)
		o := schema.Object{Kind: a.Kind, ID: "1"}
		o.Value.Set(a.Kind.Attr("path"), cty.StringVal("fleet"))
		o.Value.Set(a.Kind.Attr("full_path"), cty.StringVal("fleet"))
		o.Value.Set(a.Kind.Attr("description"), cty.StringVal(f.description))
		for name := range a.Kind.Arguments() {
			if name.Detail {
				o.Value.Set(name, cty.NullVal(cty.DynamicPseudoType))
			}
		}
		readings[i].Objects = []schema.Object{o}
	}
	return readings
}

func (f *fleet) object(k *schema.Kind, id, path string) schema.Object {
	o := schema.Object{Kind: k, ID: id}
	o.Value.Set(k.Attr("namespace"), schema.RefVal(&schema.Ref{ID: "1", Path: "fleet"}))
	o.Value.Set(k.Attr("path"), cty.StringVal(path))
	o.Value.Set(k.Attr("path_with_namespace"), cty.StringVal("fleet/"+path))
	return o
}

// measure keeps the most memory that was in use between two readings.
func (f *fleet) measure() {
	if !f.measures {
		return
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	f.peak.Store(max(f.peak.Load(), m.HeapAlloc))
}

// TestEverythingIsListed makes sure that whatever others are in is found at any depth.
func TestEverythingIsListed(t *testing.T) {
	t.Parallel()
	kinds := provider.Kinds()
	for _, subject := range pull.Subjects(kinds) {
		name := strings.TrimSuffix(subject, "/")
		found := false
		for _, source := range kinds.Sources {
			found = found || source.Data.Of == name && source.Data.Deep != ""
		}
		require.True(t, found, "no data source lists every %s below a group", name)
	}
}

// TestManyProjects holds the pull of 2,000 projects to what it may cost: a request for each list,
// and memory for what is read at a time beside a little for each project.
func TestManyProjects(t *testing.T) {
	const projects, kibEach = 2000, 8
	kinds := []string{"group", "project", "project_label", "project_hook", "project_members"}
	f := &fleet{projects: projects, measures: true}
	f.measure()
	before := f.peak.Load()
	s, _, err := run(t.Context(), f, []string{"group/fleet", "-kinds=" + strings.Join(kinds, ",")})
	require.NoError(t, err)
	require.Equal(t, map[string]int{"group": 1, "project": projects, "project_label": labels * projects}, s.Blocks)
	lists := 1 + 1 + 1 + projects*3 // the group, the groups and projects in it, three lists of each project
	require.Equal(t, lists, int(f.reads.Load()))
	text := 10 << 20 // the files are in memory here
	require.Less(t, int(f.peak.Load()-before), projects*kibEach<<10+text, "bytes")
}
