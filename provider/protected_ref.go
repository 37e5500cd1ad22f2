package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"hew/schema"
)

// Protected branches and tags list for each action who may do it: everybody with a
// role, and users, groups and deploy keys. A host has one list of entries for each
// action (spec 2 §2.5, gaps §7.4). Here each sort of entry is an attribute, and a sort
// that is not stated stays as it is.

// party is a sort of entry: the ending of its attributes, the field that identifies it
// in an entry, its kind, and the sentence that documents it.
type party struct{ attr, field, kind, doc string }

var (
	byRole = party{"_access_level", "access_level", "", ""}
	people = []party{
		{"_users", "user_id", "user", "users who can %s, regardless of their role"},
		{"_groups", "group_id", "group", "groups whose members can %s, regardless of their role"},
	}
	withKeys = slices.Concat(people, []party{
		{"_deploy_keys", "deploy_key_id", "deploy_key",
			"deploy keys of the project that can %s, by title or id. Each needs can_push"},
	})
)

// right is an action on a protected branch or tag, and the parties that can be granted
// it one by one.
type right struct {
	act string
	to  []party
}

// rows returns the rows of a right. what completes their documentation.
func (r right) rows(what string, o ...Option) []Attr {
	listed := "Listed users and groups"
	if len(r.to) > len(people) {
		listed = "Listed users, groups and deploy keys"
	}
	rows := []Attr{role(r.act+byRole.attr, "The minimum role that can "+what+". "+listed+" can, too.", o...)}
	for _, p := range r.to {
		row := References(r.act+p.attr, p.kind, "The "+fmt.Sprintf(p.doc, what)+". You can also write allowed_to_"+
			r.act+" { "+p.kind+" = … } blocks.", OpensGrowing, Outsiders(schema.RefuseOutsiders))
		if p.kind == deployKey().Name { // they belong to the project
			row.Ref.Outsiders, row.Ref.Needs = schema.AcceptOutsiders, "can_push"
		}
		rows = append(rows, row)
	}
	return rows
}

// grantBlocks returns the nested blocks that list the same as the attributes.
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

// entry is one entry of a list, as hosts answer it, without the fields that are not
// numbers.
type entry map[string]int64

func (e entry) is(p party) bool {
	if p == byRole { // some hosts add a level to the entry of a user
		return e["user_id"] == 0 && e["group_id"] == 0 && e["deploy_key_id"] == 0
	}
	return e[p.field] != 0
}

// entriesOf reads the list of an action.
func entriesOf(r Record, act string) ([]entry, error) {
	raw := r[act+"_access_levels"]
	if isNull(raw) {
		return nil, nil
	}
	var rows []map[string]any
	read := json.NewDecoder(bytes.NewReader(raw))
	read.UseNumber() // an id may be larger than a float64 holds exactly
	if err := read.Decode(&rows); err != nil {
		return nil, fmt.Errorf("%s_access_levels: %w", act, err)
	}
	list := make([]entry, len(rows))
	for i, row := range rows {
		list[i] = entry{}
		for name, v := range row {
			if n, is := v.(json.Number); is {
				id, err := n.Int64()
				if err != nil {
					return nil, fmt.Errorf("%s_access_levels: %s: %w", act, name, err)
				}
				list[i][name] = id
			}
		}
	}
	return list, nil
}

// decodeGrants sets the attributes of the rights from their lists. A branch that is
// protected by a group is Absent from its projects.
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
				continue // not in this answer
			}
			role := o.Kind.Attr(of.act + byRole.attr)
			// An empty list is "no one" only where that is valid.
			if v := lowestRole(list); len(list) > 0 || role.Accepts.Check(v) == nil {
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

// grantBody adds the users, groups and keys of the rights to a creation. Roles have
// parameters of their own, which every edition of the host takes.
func grantBody(rights []right) func(schema.Object, map[string]any) error {
	return func(_ schema.Object, body map[string]any) error {
		for _, r := range rights {
			for _, p := range r.to {
				ids, _, err := takeIDs(body, r.act+p.attr)
				if err != nil {
					return err
				}
				for _, id := range ids {
					appendGrant(body, r.act, map[string]any{p.field: id})
				}
			}
		}
		return nil
	}
}

// regrantBody adds the changes of the rights' lists to an update, entry by entry, so
// that unchanged entries keep their ids. It reads the lists only if one changes.
func regrantBody(rights []right) func(context.Context, *Write, map[string]any) error {
	return func(ctx context.Context, w *Write, body map[string]any) error {
		var live Record
		for _, r := range rights {
			for _, p := range slices.Concat([]party{byRole}, r.to) {
				ids, stated, err := takeIDs(body, r.act+p.attr)
				if err != nil {
					return err
				}
				if !stated {
					continue
				}
				if live == nil {
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

// takeIDs removes a list of levels or ids from a body, and returns it. An item that is not a whole
// number is an error, because a grant that the list lacks is deleted.
func takeIDs(body map[string]any, name string) (ids []int64, stated bool, err error) {
	v, stated := body[name]
	if v == nil {
		return nil, false, nil
	}
	delete(body, name)
	list, many := v.([]any)
	if !many {
		list = []any{v}
	}
	for _, item := range list {
		n, err := strconv.ParseInt(fmt.Sprint(item), 10, 64)
		if err != nil {
			return nil, false, fmt.Errorf("%s has an item that is not an id: %v", name, item)
		}
		ids = append(ids, n)
	}
	return ids, stated, nil
}

func appendGrant(body map[string]any, act string, change map[string]any) {
	list, _ := body["allowed_to_"+act].([]map[string]any)
	body["allowed_to_"+act] = append(list, change)
}

// grantChanges returns the changes that turn the entries of one sort into the wanted
// ones. Deletions come first.
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
