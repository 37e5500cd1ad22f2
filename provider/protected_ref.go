package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"hew/schema"
)

// Protected branches and tags say for each act who may do it: whoever has a role,
// and users, groups and deploy keys beside. A host keeps one list of entries an act (spec 2
// §2.5, gaps §7.4). Here each sort of entry has an attribute, and a sort that is
// not stated stays as it is.

// party is a sort of entry: what the attributes end in, the field of an entry
// that says who is meant, his kind, and what is said of an attribute.
type party struct{ attr, field, kind, doc string }

var (
	byRole = party{"_access_level", "access_level", "", ""}
	people = []party{
		{"_users", "user_id", "user", "users who may %s, regardless of their role"},
		{"_groups", "group_id", "group", "groups whose members may %s, regardless of their role"},
	}
	withKeys = slices.Concat(people, []party{
		{"_deploy_keys", "deploy_key_id", "deploy_key", "deploy keys of the project that may %s, by title or id. Each needs can_push"},
	})
)

// right is an act on what is protected, and who can be given it one by one.
type right struct {
	act string
	to  []party
}

// rows are the rows of a right, which is to do what the words say.
func (r right) rows(what string, o ...Option) []Attr {
	rows := []Attr{role(r.act+byRole.attr, "The least role that may "+what+", in addition to the listed users, groups and deploy keys.", o...)}
	for _, p := range r.to {
		row := References(r.act+p.attr, p.kind, "The "+fmt.Sprintf(p.doc, what)+". "+
			"Blocks are accepted as well: allowed_to_"+r.act+" { "+p.kind+" = … }.")
		row.Ref.NeedsAccess = p.kind != deployKey.Name // whose list is the project's own
		rows = append(rows, row)
	}
	return rows
}

// grantBlocks are how others write who has the rights.
func grantBlocks(rights []right) (list []schema.Block) {
	for _, r := range rights {
		b := schema.Block{Name: "allowed_to_" + r.act, Of: map[string]string{}}
		for _, p := range r.to {
			b.Of[p.kind], b.Of[p.field] = r.act+p.attr, r.act+p.attr
		}
		list = append(list, b)
	}
	return list
}

// entry is one who may do an act, as hosts answer it, without what is no number.
type entry map[string]int64

func (e entry) is(p party) bool {
	if p == byRole { // some hosts answer a level beside a user as well
		return e["user_id"] == 0 && e["group_id"] == 0 && e["deploy_key_id"] == 0
	}
	return e[p.field] != 0
}

// entriesOf reads the list of an act.
func entriesOf(r Record, act string) ([]entry, error) {
	raw := r[act+"_access_levels"]
	if isNull(raw) {
		return nil, nil
	}
	var rows []map[string]any
	if err := json.Unmarshal(raw, &rows); err != nil {
		return nil, fmt.Errorf("%s_access_levels: %w", act, err)
	}
	list := make([]entry, len(rows))
	for i, row := range rows {
		list[i] = entry{}
		for name, v := range row {
			if n, ok := v.(float64); ok {
				list[i][name] = int64(n)
			}
		}
	}
	return list, nil
}

// decodeGrants takes the lists of the rights apart. What a group protects shows in its
// projects, and is none of theirs.
func decodeGrants(rights []right) func(*Decoder, Record, *schema.Object) error {
	return func(d *Decoder, r Record, o *schema.Object) error {
		switch inherited, err := r.Bool("inherited"); {
		case err != nil:
			return err
		case inherited:
			o.State = schema.Absent
		}
		for _, of := range rights {
			list, err := entriesOf(r, of.act)
			if err != nil {
				return err
			}
			if isNull(r[of.act+"_access_levels"]) {
				continue // nothing is known of them
			}
			role := o.Kind.Attr(of.act + byRole.attr)
			if v := lowestRole(list); len(list) > 0 || role.Accepts.Check(v) == nil { // where nobody cannot be said, nobody is no limit
				o.Value.Set(role, v)
			}
			for _, p := range of.to {
				var refs []*schema.Ref
				for _, e := range list {
					if e.is(p) {
						refs = append(refs, d.Reference(strconv.FormatInt(e[p.field], 10), ""))
					}
				}
				o.Value.Set(o.Kind.Attr(of.act+p.attr), schema.RefsVal(refs))
			}
		}
		return nil
	}
}

// grantBody says in a creation who has the rights beside a role, which every
// edition of the host takes by itself.
func grantBody(rights []right) func(schema.Object, map[string]any) {
	return func(_ schema.Object, body map[string]any) {
		for _, r := range rights {
			for _, p := range r.to {
				ids, _ := takeIDs(body, r.act+p.attr)
				for _, id := range ids {
					appendGrant(body, r.act, map[string]any{p.field: id})
				}
			}
		}
	}
}

// regrantBody says in an update how the lists of the rights change, entry by entry:
// what stays keeps its id. Only where one changes they are read.
func regrantBody(rights []right) func(context.Context, *Write, map[string]any) error {
	return func(ctx context.Context, w *Write, body map[string]any) error {
		var live Record
		for _, r := range rights {
			for _, p := range slices.Concat([]party{byRole}, r.to) {
				ids, stated := takeIDs(body, r.act+p.attr)
				if !stated {
					continue
				}
				if live == nil {
					var err error
					if live, err = w.Record(ctx); err != nil {
						return err
					}
				}
				list, err := entriesOf(live, r.act)
				if err != nil {
					return err
				}
				for _, change := range grantChanges(list, p, ids) {
					appendGrant(body, r.act, change)
				}
			}
		}
		return nil
	}
}

// takeIDs takes what is to be in a list out of a body: levels or ids.
func takeIDs(body map[string]any, name string) (ids []int64, stated bool) {
	v, stated := body[name]
	if v == nil {
		return nil, false
	}
	delete(body, name)
	list, many := v.([]any)
	if !many {
		list = []any{v}
	}
	for _, item := range list {
		if n, err := strconv.ParseInt(fmt.Sprint(item), 10, 64); err == nil {
			ids = append(ids, n)
		}
	}
	return ids, stated
}

func appendGrant(body map[string]any, act string, change map[string]any) {
	list, _ := body["allowed_to_"+act].([]map[string]any)
	body["allowed_to_"+act] = append(list, change)
}

// grantChanges are the changes that make those of a sort be the wanted ones. A role
// that goes makes room for the one that comes.
func grantChanges(list []entry, p party, ids []int64) (changes []map[string]any) {
	var gone []int64
	for _, e := range list {
		switch i := slices.Index(ids, e[p.field]); {
		case !e.is(p):
		case i < 0:
			gone = append(gone, e["id"])
		default:
			ids = slices.Delete(slices.Clone(ids), i, i+1)
		}
	}
	for _, id := range ids {
		change := map[string]any{p.field: id}
		if p == byRole && len(gone) > 0 {
			change["id"], gone = gone[0], gone[1:]
		}
		changes = append(changes, change)
	}
	for _, id := range gone {
		changes = append(changes, map[string]any{"id": id, "_destroy": true})
	}
	return changes
}
