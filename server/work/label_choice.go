package work

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
)

// newLabelColor is the color of labels that are made on the way.
const newLabelColor = "#6699cc"

// maxNewLabels is how many labels one request makes at most.
const maxNewLabels = 100

// LabelChoice is how a request chooses the labels of an issue or epic. Names are trimmed; empty
// ones are ignored.
type LabelChoice struct {
	Set    []string // all labels; nil leaves those there are
	Add    []string
	Remove []string
}

// Apply returns the ids of the labels of an issue or epic in a group or project after the choice,
// from those before. Labels that do not exist there or above are made if create says so, and
// ignored otherwise (gaps §8).
func (c LabelChoice) Apply(
	ctx context.Context, st *db.Store, in db.Container, before []int64, create bool,
) ([]int64, error) {
	byName, err := labelsNamed(ctx, st, in, slices.Concat(c.Set, c.Add, c.Remove))
	if err != nil {
		return nil, err
	}
	if create {
		if err := c.createMissing(ctx, st, in, byName); err != nil {
			return nil, err
		}
	}
	ids := before
	if c.Set != nil {
		ids = nil
	}
	for _, name := range trimmed(append(slices.Clone(c.Set), c.Add...)) {
		if id, ok := byName[name]; ok && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	var gone []int64
	for _, name := range trimmed(c.Remove) {
		gone = append(gone, byName[name])
	}
	return Without(ids, gone), nil
}

// createMissing makes the labels of the choice that are not in byName, and adds them. It locks
// their names first, in their order, and looks again: another request may be making the same.
func (c LabelChoice) createMissing(
	ctx context.Context, st *db.Store, in db.Container, byName map[string]int64,
) error {
	isKnown := func(name string) bool { return byName[name] != 0 }
	missing := slices.DeleteFunc(trimmed(slices.Concat(c.Set, c.Add)), isKnown)
	slices.Sort(missing)
	missing = slices.Compact(missing)
	if len(missing) == 0 {
		return nil
	}
	if len(missing) > maxNewLabels {
		refusal := fmt.Sprintf("would make %d new labels (maximum is %d)", len(missing), maxNewLabels)
		return fault.Invalid("labels", refusal)
	}
	for _, name := range missing {
		if err := lockLabelName(ctx, st, name); err != nil {
			return err
		}
	}
	made, err := labelsNamed(ctx, st, in, missing)
	if err != nil {
		return err
	}
	for _, name := range missing {
		if made[name] == 0 {
			l, err := CreateLabel(ctx, st, in, func(l *Label) error {
				l.Name, l.Color = name, newLabelColor
				return nil
			})
			if err != nil {
				return err
			}
			made[name] = l.ID
		}
		byName[name] = made[name]
	}
	return nil
}

// trimmed returns the names without blanks around them, and without empty ones.
func trimmed(names []string) (list []string) {
	for _, name := range names {
		if name = strings.TrimSpace(name); name != "" {
			list = append(list, name)
		}
	}
	return list
}

// labelsNamed returns the ids of the labels of a group or project, and of the groups above, with
// one of the names. The nearest of a name counts.
func labelsNamed(ctx context.Context, st *db.Store, in db.Container, names []string) (map[string]int64, error) {
	byName := map[string]int64{}
	if names = trimmed(names); len(names) == 0 {
		return byName, nil
	}
	w := db.NewWhere(nil)
	in.WithinOrAbove(w, "t")
	w.And(`t.name = any(@names)`, names)
	list, err := db.Many[LabelRef](ctx, st, `
		select t.id, t.name, t.color, t.description from labels t left join namespaces n on n.id = t.namespace_id`+
		w.String()+` order by t.project_id is null, cardinality(n.traversal_ids) desc`, w.Args)
	for _, l := range list {
		if _, ok := byName[l.Name]; !ok {
			byName[l.Name] = l.ID
		}
	}
	return byName, err
}

// LabelRef is a label as issues show it.
type LabelRef struct {
	ID          int64   `db:"id" json:"id"`
	Name        string  `db:"name" json:"name"`
	Color       string  `db:"color" json:"color"`
	Description *string `db:"description" json:"description"`
}

// LabelsByID returns labels by their ids, wherever they are.
func LabelsByID(ctx context.Context, s *db.Store, ids []int64) (map[int64]LabelRef, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := db.Many[LabelRef](ctx, s, `select t.id, t.name, t.color, t.description from labels t where t.id = any(@ids)`,
		pgx.NamedArgs{"ids": ids})
	byID := make(map[int64]LabelRef, len(list))
	for _, l := range list {
		byID[l.ID] = l
	}
	return byID, err
}
