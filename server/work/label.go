package work

import (
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// Label is a row of labels, which classify issues and merge requests (gaps §6.3). A label of a
// group applies to everything below the group.
type Label struct {
	ID int64 `db:"id,auto" json:"id"`
	db.Container
	Name        string    `db:"name" json:"name"`
	Color       string    `db:"color" json:"color"` // #RRGGBB or #RGB
	Description *string   `db:"description" json:"description"`
	Priority    *int      `db:"priority" json:"priority"` // nil or from 0, the most urgent; only in projects
	CreatedAt   time.Time `db:"created_at,auto" json:"-"`
	UpdatedAt   time.Time `db:"updated_at,auto" json:"-"`
	// the viewer is notified of things that get the label
	Subscribed bool `db:"subscribed,auto" json:"subscribed"`
}

const selectLabels = `
	select t.*, exists (select from label_subscriptions s where s.label_id = t.id and s.user_id = @viewer) as subscribed
	from labels t`

// Labels returns the labels that a group or project holds itself, as a user sees them; viewer 0
// is an anonymous caller.
func Labels(s *db.Store, c db.Container, viewer int64) db.Held[Label] {
	labels := db.NewHeld[Label](s, c, "labels")
	labels.What, labels.Select = "Label", selectLabels
	labels.Filter = func(w *db.Where) { w.Args["viewer"] = viewer }
	return labels
}

// ByLabelRef selects a label by id or name. An id wins because a name may be a number.
func ByLabelRef(ref string) db.Condition {
	return func(w *db.Where) {
		w.Args["label"], w.Args["label_id"] = ref, labelID(ref)
		w.And(`t.id = @label_id or t.name = @label and not exists (
			select from labels o where o.id = @label_id
			and (o.namespace_id, o.project_id) is not distinct from (t.namespace_id, t.project_id))`)
	}
}

// labelByName selects the label with a name, which may look like the id of another.
func labelByName(name string) db.Condition {
	return func(w *db.Where) { w.And(`t.name = @name`, name) }
}

// labelID returns the id that a reference to a label stands for, or 0 if it can only be a name:
// "007" and "+7" are names.
func labelID(ref string) int64 {
	id, err := strconv.ParseInt(ref, 10, 64)
	if err != nil || strconv.FormatInt(id, 10) != ref {
		return 0
	}
	return id
}

// LabelFilter widens a list of labels beyond those of the group or project itself. The zero value
// adds none.
type LabelFilter struct {
	Above    bool          // add labels of the groups above
	Below    bool          // add labels of visible groups below; only for groups
	Projects bool          // add labels of visible projects in these groups; only for groups
	Viewer   int64         // the caller; 0 is anonymous
	Open     db.Visibility // what is at least this visible is shown to every viewer
	Search   string        // text in the name or description
}

func (f LabelFilter) where(c db.Container) *db.Where {
	w := db.NewWhere(pgx.NamedArgs{"viewer": f.Viewer, "user": f.Viewer, "open": f.Open})
	switch {
	case c.NamespaceID != nil && (f.Below || f.Projects):
		w.And(f.inGroups(), c.NamespaceID)
	case f.Above:
		c.WithinOrAbove(w, "t")
	default:
		c.Within(w, "t")
	}
	w.AndIf(f.Search != "", `t.name ilike @like or t.description ilike @like`, tree.Infix(f.Search))
	return w
}

// inGroups returns the condition that a label t belongs to one of the filter's groups, or to a
// project directly in one. Groups above need no check because callers who see a group see those
// above it; groups below and projects are checked one by one.
func (f LabelFilter) inGroups() string {
	spaces := `n.id = @namespace`
	if f.Above {
		spaces = `n.id = any(array(select unnest(a.traversal_ids) from namespaces a where a.id = @namespace))`
	}
	if f.Below {
		spaces += ` or n.traversal_ids @> array[@namespace::bigint] and (n.visibility >= @open or ` + tree.Mine + `)`
	}
	in := `t.namespace_id in (select n.id from namespaces n where ` + spaces + `)`
	if f.Projects {
		in += ` or t.project_id in (
			select p.id from projects p join namespaces n on n.id = p.namespace_id
			where (` + spaces + `) and (p.visibility >= @open or ` + tree.Holds(db.Guest) + `))`
	}
	return in
}

// ListLabels returns a page of the labels of a group or project and of those that the filter
// adds, ordered by name, and their total.
func ListLabels(ctx context.Context, s *db.Store, c db.Container, f LabelFilter, p db.Page) ([]Label, int, error) {
	p.Order = "name"
	return db.List[Label](ctx, s, p, db.Order{"name": "t.name"}, "t.id", selectLabels, f.where(c))
}

// FindLabel returns the label with an id or name out of those that ListLabels lists. The id wins,
// then the label held nearest to the group or project.
func FindLabel(ctx context.Context, s *db.Store, c db.Container, f LabelFilter, ref string) (Label, error) {
	w := f.where(c)
	w.Args["label"], w.Args["label_id"] = ref, labelID(ref)
	w.And(`t.id = @label_id or t.name = @label`)
	return db.One[Label](ctx, s, "Label", selectLabels+w.String()+`
		order by t.id = @label_id desc, t.project_id is null,
		         (select cardinality(n.traversal_ids) from namespaces n where n.id = t.namespace_id) desc
		limit 1`, w.Args)
}

// lockLabelName makes transactions that use the same name for a label wait for each other.
func lockLabelName(ctx context.Context, s *db.Store, name string) error {
	return s.Exclusively(ctx, "labels called "+name)
}

// sameName tells where another label has the name of one.
type sameName struct {
	Own   bool   `db:"own"`   // in the same group or project
	Group string `db:"group"` // the name of the group above, unless Own
}

// findSameName returns the nearest other label with the name of a label in its group or project
// or in a group above; nil if no other has it. It locks the name until the end of the
// transaction.
func findSameName(ctx context.Context, s *db.Store, l Label) (*sameName, error) {
	if err := lockLabelName(ctx, s, l.Name); err != nil {
		return nil, err
	}
	w := db.NewWhere(pgx.NamedArgs{"own_project": l.ProjectID, "own_namespace": l.NamespaceID})
	l.WithinOrAbove(w, "t")
	w.And(`t.name = @name`, l.Name)
	w.And(`t.id <> @id`, l.ID)
	list, err := db.Many[sameName](ctx, s, `
		select t.project_id is not distinct from @own_project
			and t.namespace_id is not distinct from @own_namespace as own,
		       coalesce(n.name, '') as "group"
		from labels t left join namespaces n on n.id = t.namespace_id`+w.String()+`
		order by own desc, cardinality(n.traversal_ids) desc limit 1`, w.Args)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// Subscribe subscribes a user to a label and reports whether the user was not subscribed before.
func Subscribe(ctx context.Context, s *db.Store, labelID, userID int64) (changed bool, err error) {
	n, err := s.Affected(ctx, `
		insert into label_subscriptions (label_id, user_id) values (@label, @user) on conflict do nothing`,
		pgx.NamedArgs{"label": labelID, "user": userID})
	return n > 0, err
}

// Unsubscribe ends a user's subscription to a label and reports whether the user was subscribed.
func Unsubscribe(ctx context.Context, s *db.Store, labelID, userID int64) (changed bool, err error) {
	n, err := s.Affected(ctx, `delete from label_subscriptions where label_id = @label and user_id = @user`,
		pgx.NamedArgs{"label": labelID, "user": userID})
	return n > 0, err
}

// mergeProjectLabels deletes the labels of the same name in all projects below the group of a
// label, and gives their issues and merge requests, the events of those and their subscribers to
// it.
func mergeProjectLabels(ctx context.Context, s *db.Store, into Label) error {
	const same = `
		with same as (
		    select l.id from labels l join projects p on p.id = l.project_id join namespaces n on n.id = p.namespace_id
		    where l.name = @name and n.traversal_ids @> array[@namespace::bigint])`
	args := pgx.NamedArgs{"label": into.ID, "name": into.Name, "namespace": into.NamespaceID}
	if err := s.Exec(ctx, same+`
		insert into label_subscriptions (label_id, user_id)
		select distinct @label::bigint, b.user_id from label_subscriptions b join same on same.id = b.label_id
		on conflict do nothing`, args); err != nil {
		return err
	}
	for _, of := range []string{"issue", "merge_request"} {
		if err := s.Exec(ctx, same+`
			insert into `+of+`_labels (`+of+`_id, label_id)
			select distinct i.`+of+`_id, @label::bigint from `+of+`_labels i join same on same.id = i.label_id
			on conflict do nothing`, args); err != nil {
			return err
		}
	}
	if err := s.Exec(ctx, same+`
		update resource_events e set label_id = @label from same where same.id = e.label_id`, args); err != nil {
		return err
	}
	return s.Exec(ctx, same+` delete from labels l using same where l.id = same.id`, args)
}
