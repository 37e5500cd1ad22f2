package work

import (
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// Label is a word that issues and merge requests are given (gaps §6.3). One of a group is for all
// below it.
type Label struct {
	ID int64 `db:"id,auto" json:"id"`
	db.Container
	Name        string    `db:"name" json:"name"`
	Color       string    `db:"color" json:"color"` // #RRGGBB or #RGB
	Description *string   `db:"description" json:"description"`
	Priority    *int      `db:"priority" json:"priority"` // of a project's; the lower, the more urgent
	CreatedAt   time.Time `db:"created_at,auto" json:"-"`
	UpdatedAt   time.Time `db:"updated_at,auto" json:"-"`
	Subscribed  bool      `db:"subscribed,auto" json:"subscribed"` // whoever asks hears of it
}

const selectLabels = `
	select t.*, exists (select from label_subscriptions s where s.label_id = t.id and s.user_id = @viewer) as subscribed
	from labels t`

// Labels are the labels of a group or project itself, as a user sees them; 0 is nobody.
func Labels(s *db.Store, c db.Container, viewer int64) db.Held[Label] {
	labels := db.HeldIn[Label](s, c, "labels")
	labels.What, labels.From = "Label", selectLabels
	labels.Only = func(w *db.Where) { w.Args["viewer"] = viewer }
	return labels
}

// LabelBy is the label with that id, or else with that name: a name may be a number.
func LabelBy(ref string) db.Which {
	id, err := strconv.ParseInt(ref, 10, 64)
	return func(w *db.Where) {
		w.Args["label"] = ref
		w.And(err != nil, `t.name = @label`)
		w.And(err == nil, `t.id = @label_id or t.name = @label and not exists (
			select from labels o where o.id = @label_id
			and (o.namespace_id, o.project_id) is not distinct from (t.namespace_id, t.project_id))`, id)
	}
}

// LabelFilter says which labels are meant, beside those of a group or project itself; the zero
// value adds none.
type LabelFilter struct {
	Above    bool          // those of the groups above
	Below    bool          // of a group: those of the groups below that the viewer sees
	Projects bool          // of a group: those of the projects in these groups that the viewer sees
	Viewer   int64         // who asks; 0 is nobody
	Open     db.Visibility // what is at least this visible is shown to him anyway
	Search   string        // in name and description
}

func (f LabelFilter) where(c db.Container) *db.Where {
	w := db.NewWhere(pgx.NamedArgs{"viewer": f.Viewer, "user": f.Viewer, "open": f.Open})
	switch {
	case c.NamespaceID != nil && (f.Below || f.Projects):
		w.And(true, f.places(), c.NamespaceID)
	case f.Above:
		c.Around(w, "t")
	default:
		c.Of(w, "t")
	}
	w.And(f.Search != "", `t.name ilike @like or t.description ilike @like`, tree.Infix(f.Search))
	return w
}

// places is the condition that a label t is in one of the groups that are meant, or in a project
// directly in one. Whoever sees a group sees those above it; of those below, and of the projects,
// there may be some that he does not.
func (f LabelFilter) places() string {
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

// AvailableLabels lists the labels of a group or project, and those that the filter adds, by name.
func AvailableLabels(ctx context.Context, s *db.Store, c db.Container, f LabelFilter, p db.Page) ([]Label, int, error) {
	p.Order = "name"
	return db.List[Label](ctx, s, p, db.Order{"name": "t.name"}, "t.id", selectLabels, f.where(c))
}

// AvailableLabel is the one of these labels with that id, or else with that name: of several the
// nearest.
func AvailableLabel(ctx context.Context, s *db.Store, c db.Container, f LabelFilter, ref string) (Label, error) {
	w := f.where(c)
	w.And(true, `t.name = @ref or t.id::text = @ref`, ref)
	return db.One[Label](ctx, s, "Label", selectLabels+w.String()+`
		order by t.id::text = @ref desc, t.project_id is null,
		         (select cardinality(n.traversal_ids) from namespaces n where n.id = t.namespace_id) desc
		limit 1`, w.Args)
}

// Namesake is where another label is called like one.
type Namesake struct {
	Own   bool   `db:"own"`   // in the same group or project
	Group string `db:"group"` // the name of the group above
}

// LabelNamesake finds what is called like a label, in its group or project or in a group above: the
// nearest. Nil: nothing.
func LabelNamesake(ctx context.Context, s *db.Store, l Label) (*Namesake, error) {
	w := db.NewWhere(pgx.NamedArgs{"own_project": l.ProjectID, "own_namespace": l.NamespaceID})
	l.Around(w, "t")
	w.And(true, `t.name = @name`, l.Name)
	w.And(true, `t.id <> @id`, l.ID)
	list, err := db.Many[Namesake](ctx, s, `
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

// Subscribe notes that a user wants to hear of what gets a label, and says whether that is news.
func Subscribe(ctx context.Context, s *db.Store, labelID, userID int64) (changed bool, err error) {
	n, err := s.Affected(ctx, `
		insert into label_subscriptions (label_id, user_id) values (@label, @user) on conflict do nothing`,
		pgx.NamedArgs{"label": labelID, "user": userID})
	return n > 0, err
}

// Unsubscribe notes that he does not any more, and says whether that is news.
func Unsubscribe(ctx context.Context, s *db.Store, labelID, userID int64) (changed bool, err error) {
	n, err := s.Affected(ctx, `delete from label_subscriptions where label_id = @label and user_id = @user`,
		pgx.NamedArgs{"label": labelID, "user": userID})
	return n > 0, err
}

// MergeLabels removes the labels of the projects in and below the group of a label that are called
// like it. Who wanted to hear of one of them hears of the label.
func MergeLabels(ctx context.Context, s *db.Store, into Label) error {
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
	return s.Exec(ctx, same+` delete from labels l using same where l.id = same.id`, args)
}
