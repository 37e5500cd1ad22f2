package load

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/transfer/archive"
)

// finder knows what documents refer to by its title: labels and milestones of the project and of
// the groups above it.
type finder struct {
	labels     map[string]int64
	milestones map[string]int64
	iterations map[string]int64 // by both days
	epics      map[string]int64
}

// named is a row that was found by its name.
type named struct {
	ID   int64  `db:"id"`
	Name string `db:"name"`
}

// wanted are the things that the documents of a batch refer to.
type wanted struct {
	labels     []*archive.Label
	milestones []*archive.Milestone
	iterations []*archive.Iteration
	epics      []*archive.Epic
}

// label adds a label that is not nil. Its title becomes one that can be stored.
func (w *wanted) label(l *archive.Label) {
	if l == nil {
		return
	}
	if l.Title = Storable(l.Title); l.Title != "" {
		w.labels = append(w.labels, l)
	}
}

// milestone adds a milestone that is not nil. Its title becomes one that can be stored.
func (w *wanted) milestone(m *archive.Milestone) {
	if m == nil {
		return
	}
	if m.Title = Storable(m.Title); m.Title != "" {
		w.milestones = append(w.milestones, m)
	}
}

// find looks up what is wanted, with a statement for each kind. It adds the labels and milestones
// that do not exist to the rows of the batch.
func (b *batch) find(ctx context.Context, w wanted) (err error) {
	if b.found.labels, err = b.findLabels(ctx, w.labels); err != nil {
		return err
	}
	if b.found.milestones, err = b.findMilestones(ctx, w.milestones); err != nil {
		return err
	}
	if b.found.iterations, err = b.findIterations(ctx, w.iterations); err != nil {
		return err
	}
	b.found.epics, err = b.findEpics(ctx, w.epics)
	return err
}

// lookUp returns the rows of a query, the first of each name. It asks nothing for no names.
func (b *batch) lookUp(ctx context.Context, names []string, sql string) (map[string]int64, error) {
	found := map[string]int64{}
	if len(names) == 0 {
		return found, nil
	}
	for i := range names {
		names[i] = Storable(names[i])
	}
	rows, err := db.Many[named](ctx, b.st, sql,
		pgx.NamedArgs{"project": b.project.ID, "above": b.project.NamespaceIDs, "names": names})
	for _, r := range rows {
		if _, twice := found[r.Name]; !twice {
			found[r.Name] = r.ID
		}
	}
	return found, err
}

// titlesOf returns the titles of what documents refer to, each once.
func titlesOf[T any](list []T, title func(T) string) []string {
	titles := make([]string, len(list))
	for i, t := range list {
		titles[i] = title(t)
	}
	slices.Sort(titles)
	return slices.Compact(titles)
}

// nearest orders rows t by how near they are to the project.
const nearest = ` order by t.project_id is null, array_position(@above::bigint[], t.namespace_id) desc, t.id`

func (b *batch) findLabels(ctx context.Context, list []*archive.Label) (map[string]int64, error) {
	names := titlesOf(list, func(l *archive.Label) string { return l.Title })
	found, err := b.lookUp(ctx, names, `
		select t.id, t.name from labels t
		where (t.project_id = @project or t.namespace_id = any(@above::bigint[])) and t.name = any(@names)`+nearest)
	if err != nil {
		return nil, err
	}
	if err := b.reserve(ctx, "labels", len(names)-len(found)); err != nil {
		return nil, err
	}
	for _, l := range list {
		if _, ok := found[l.Title]; ok || checkTitle("title", l.Title) != nil {
			continue
		}
		id := b.take("labels")
		found[l.Title] = id
		created, updated := span(l.CreatedAt, l.UpdatedAt)
		var priority any
		if len(l.Priorities) > 0 && l.Priorities[0].Priority >= 0 && l.Priorities[0].Priority < 1<<31 {
			priority = l.Priorities[0].Priority
		}
		b.add("labels", row{
			"id": id, "project_id": b.project.ID, "name": l.Title, "color": colorOf(l.Color),
			"description": text(l.Description), "priority": priority, "created_at": created, "updated_at": updated,
		})
	}
	return found, nil
}

// colorOf returns a color as labels have it, grey if it is none.
func colorOf(text string) string {
	hex := strings.TrimPrefix(text, "#")
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	if len(hex) != 6 || strings.Trim(strings.ToLower(hex), "0123456789abcdef") != "" {
		return "#808080"
	}
	return "#" + hex
}

// spanOf names an iteration by its days.
func spanOf(i *archive.Iteration) string { return i.StartDate + "/" + i.DueDate }

func (b *batch) findIterations(ctx context.Context, list []*archive.Iteration) (map[string]int64, error) {
	var names []string
	for _, i := range list {
		if i != nil {
			names = append(names, spanOf(i))
		}
	}
	return b.lookUp(ctx, names, `
		select t.id, t.start_date || '/' || t.due_date as name from iterations t
		where t.namespace_id = any(@above::bigint[]) and t.start_date || '/' || t.due_date = any(@names)
		order by array_position(@above::bigint[], t.namespace_id) desc, t.id`)
}

func (b *batch) findEpics(ctx context.Context, list []*archive.Epic) (map[string]int64, error) {
	var names []string
	for _, e := range list {
		if e != nil {
			names = append(names, e.Title)
		}
	}
	return b.lookUp(ctx, names, `
		select t.id, t.title as name from epics t
		where t.namespace_id = any(@above::bigint[]) and t.title = any(@names)
		order by array_position(@above::bigint[], t.namespace_id) desc, t.id`)
}

// idOf returns the id that was found for a name, null if there is none.
func idOf(found map[string]int64, name string) any {
	if id, ok := found[name]; ok {
		return id
	}
	return nil
}
