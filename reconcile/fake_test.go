package reconcile_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// host is an in-memory Provider: lists of objects by collection path, as in the live.json of a
// txtar file. It assigns ids, keeps paths, and fails where a test requests it.
type host struct {
	mu       sync.Mutex
	kinds    schema.Catalog
	self     schema.Self
	lists    map[string][]item       // collection path → objects
	states   map[string]schema.State // collection or "kind key" → state
	fail     map[string]string       // "create group_member bob" → error
	log      []string                // every write, in order
	reads    []string                // every collection and lookup
	next     int
	users    map[string]string // name → id
	renamed  map[string]string // old path → new path
	requests int
	softly   bool // deletions of soft kinds only mark the object
	single   bool // reading one object, which shows its details

	last      string // the write at which the run is interrupted
	interrupt func()
}

type item map[string]any

// live is the JSON form of a host.
type live struct {
	Self    schema.Self
	Lists   map[string][]item
	States  map[string]string
	Fail    map[string]string
	Users   map[string]int
	Renamed map[string]string
}

func newHost(src []byte) (*host, error) {
	var l live
	if len(src) > 0 {
		d := json.NewDecoder(strings.NewReader(string(src)))
		d.UseNumber()
		d.DisallowUnknownFields()
		if err := d.Decode(&l); err != nil {
			return nil, err
		}
	}
	h := &host{kinds: testKinds(), self: l.Self, lists: map[string][]item{}, states: map[string]schema.State{},
		fail: l.Fail, next: 1000,
		users: map[string]string{}, renamed: l.Renamed}
	if h.self.ID == "" {
		h.self = schema.Self{ID: "1", Username: "root", Admin: true}
	}
	for path, items := range l.Lists {
		h.lists[path] = items
	}
	names := map[string]schema.State{"forbidden": schema.Forbidden, "unsupported": schema.Unsupported,
		"owner absent": schema.OwnerAbsent, "unreadable": schema.Unreadable}
	for path, s := range l.States {
		st, ok := names[s]
		if !ok {
			return nil, fmt.Errorf("no state %q", s)
		}
		h.states[path] = st
	}
	for name, id := range l.Users {
		h.users[name] = fmt.Sprint(id)
	}
	return h, nil
}

func (h *host) Kinds() schema.Catalog { return h.kinds }
func (h *host) Requests() int         { return h.requests }

func (h *host) Self(context.Context) (schema.Self, error) { return h.self, nil }

func (h *host) Read(_ context.Context, queries []schema.Query) []schema.Reading {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := make([]schema.Reading, len(queries))
	for i, q := range queries {
		h.requests++
		h.reads = append(h.reads, q.Path)
		if s := h.states[q.Path]; s != schema.Present {
			out[i] = schema.Reading{State: s, Err: fmt.Errorf("GET %s failed", q.Path)}
			continue
		}
		for _, it := range h.lists[q.Path] {
			out[i].Objects = append(out[i].Objects, h.object(q.Kind, q.Path, it, q.Keep))
		}
	}
	return out
}

func (h *host) Find(_ context.Context, asks []schema.Ask) []schema.Reading {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := make([]schema.Reading, len(asks))
	for i, a := range asks {
		h.requests++
		h.reads = append(h.reads, strings.TrimSpace(a.Kind.Name+" "+a.Key+a.ID))
		h.single = true
		out[i] = h.find(a)
		h.single = false
	}
	return out
}

func (h *host) find(a schema.Ask) schema.Reading {
	if a.Kind.Name == "user" {
		for name, id := range h.users {
			if strings.EqualFold(name, a.Key) || id == a.ID && a.ID != "" {
				o := schema.Object{Kind: a.Kind, ID: id}
				if strings.HasPrefix(name, "robot") {
					o.Note = "bot"
				}
				o.Value.Set(a.Kind.Attr("username"), cty.StringVal(name))
				o.Value.Set(a.Kind.Attr("id"), cty.MustParseNumberVal(id))
				return schema.Reading{Objects: []schema.Object{o}}
			}
		}
		return schema.Reading{State: schema.Absent}
	}
	if state := h.states[a.Kind.Name+" "+a.ID]; state != schema.Present && a.ID != "" {
		return schema.Reading{State: state}
	}
	key, moved := a.Key, false
	if to, ok := h.renamed[a.Key]; ok && !h.hasPath(a.Kind, a.Key) {
		key, moved = to, true
	}
	for _, path := range slices.Sorted(maps.Keys(h.lists)) {
		if !holds(a.Kind, path) {
			continue
		}
		for _, it := range h.lists[path] {
			if a.Kind.Holds == schema.One {
				return schema.Reading{Objects: []schema.Object{h.object(a.Kind, path, it, a.Keep)}}
			}
			full := fmt.Sprint(it[a.Kind.Tree.Full])
			if fmt.Sprint(it["id"]) == a.ID && a.ID != "" || a.ID == "" && strings.EqualFold(full, key) {
				o := h.object(a.Kind, path, it, a.Keep)
				if moved {
					o.Note = full
					return schema.Reading{State: schema.Moved, Objects: []schema.Object{o}}
				}
				return schema.Reading{State: o.State, Objects: []schema.Object{o}}
			}
		}
	}
	return schema.Reading{State: schema.Absent}
}

// hasPath tells whether an object has the path now.
func (h *host) hasPath(k *schema.Kind, path string) bool {
	for at, items := range h.lists {
		if holds(k, at) && slices.ContainsFunc(items, func(it item) bool { return it[k.Tree.Full] == path }) {
			return true
		}
	}
	return false
}

// holds tells whether a collection path lists objects of the kind.
func holds(k *schema.Kind, path string) bool {
	if k.Root != "" && path == k.Root {
		return true
	}
	_, tail, owned := strings.Cut(k.Collection, "}")
	return path == k.Collection || owned && strings.HasSuffix(path, tail)
}

func (h *host) object(k *schema.Kind, path string, it item, keep []string) schema.Object {
	o := schema.Object{Kind: k, ID: fmt.Sprint(it["id"])}
	if note, ok := it["note"].(string); ok {
		o.Note = note
	}
	switch it["state"] {
	case "archived":
		o.State = schema.Archived
	case "invited":
		o.State = schema.Invited
	case "pending deletion":
		o.State = schema.PendingDeletion
	}
	for i := range k.Attrs {
		a := &k.Attrs[i]
		always := a.Name == "id" || slices.Contains(k.Match.Attrs(), a.Name) || k.Tree != nil &&
			(a.Name == k.Tree.Full || a.Name == k.Tree.Owner)
		if !always && !slices.Contains(keep, a.Name) || a.IsSecret() && !a.Readable() || a.Detail && !h.single {
			continue
		}
		v, ok := it[a.Name]
		if !ok {
			continue
		}
		said := value(a, v, h)
		if a.IsSecret() {
			said = said.Mark(schema.Secret)
		}
		o.Value.Set(a, said)
	}
	switch {
	case k.Owner() == nil:
	case path == k.Root:
		o.Value.Set(k.Owner(), cty.NullVal(schema.RefType))
	default:
		o.Value.Set(k.Owner(), schema.RefVal(&schema.Ref{ID: strings.Split(path, "/")[1]}))
	}
	return o
}

func value(a *schema.Attr, v any, h *host) cty.Value {
	if list, ok := v.([]any); ok && a.ManyRefs() {
		var refs []*schema.Ref
		for _, name := range list {
			refs = append(refs, h.ref(a.RefKind(), name.(string)))
		}
		return schema.RefsVal(refs)
	}
	if name, ok := v.(string); ok && a.RefKind() != "" {
		return schema.RefVal(h.ref(a.RefKind(), name))
	}
	switch v := v.(type) {
	case map[string]any: // as integrations do, without what is secret
		shown := map[string]cty.Value{}
		for key, inner := range v {
			if !slices.Contains(a.HiddenKeys(), key) {
				shown[key] = cty.StringVal(fmt.Sprint(inner))
			}
		}
		return cty.MapVal(shown)
	case nil:
		return cty.NullVal(a.Type)
	case string:
		return cty.StringVal(v)
	case bool:
		return cty.BoolVal(v)
	case json.Number:
		return cty.MustParseNumberVal(v.String())
	case int:
		return cty.NumberIntVal(int64(v))
	}
	panic(fmt.Sprintf("%s holds %T", a.Name, v))
}

// ref is a reference as the host tells of it, with id and name.
func (h *host) ref(kind, name string) *schema.Ref {
	r := &schema.Ref{ID: h.users[name], Path: name}
	for path, items := range h.lists {
		for _, it := range items {
			k := h.kinds.Named(kind)
			if kind != "user" && holds(k, path) &&
				slices.Contains([]any{it["name"], it["full_path"], it["username"]}, any(name)) {
				r.ID = fmt.Sprint(it["id"])
			}
		}
	}
	return r
}

func plainValue(v cty.Value) any {
	v, _ = v.UnmarkDeep()
	if v.Type().Equals(cty.List(schema.RefType)) && !v.IsNull() {
		names := []any{}
		for _, r := range schema.Refs(v) {
			names = append(names, r.String())
		}
		return names
	}
	if !v.IsNull() && (v.Type().IsMapType() || v.Type().IsObjectType()) {
		inner := map[string]any{}
		for key, item := range v.Elements() {
			inner[key.AsString()] = plainValue(item)
		}
		return inner
	}
	if r := schema.AsRef(v); r != nil {
		return r.Path
	}
	switch {
	case v.IsNull():
		return nil
	case v.Type() == cty.String:
		return v.AsString()
	case v.Type() == cty.Bool:
		return v.True()
	case v.Type() == cty.Number:
		return json.Number(v.AsBigFloat().Text('f', -1))
	}
	return schema.Encode(v)
}
