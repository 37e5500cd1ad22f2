package work

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"hew/server/db"
	"hew/server/note"
)

// Times narrows a list to what was created or changed in a span of time; both ends are included,
// and a zero field narrows nothing.
type Times struct {
	CreatedAfter, CreatedBefore *time.Time
	UpdatedAfter, UpdatedBefore *time.Time
}

// Into adds the conditions on an issue, epic or merge request t.
func (f Times) Into(w *db.Where) {
	w.AndIf(f.CreatedAfter != nil, `t.created_at >= @created_after`, f.CreatedAfter)
	w.AndIf(f.CreatedBefore != nil, `t.created_at <= @created_before`, f.CreatedBefore)
	w.AndIf(f.UpdatedAfter != nil, `t.updated_at >= @updated_after`, f.UpdatedAfter)
	w.AndIf(f.UpdatedBefore != nil, `t.updated_at <= @updated_before`, f.UpdatedBefore)
}

// Criteria are the filters of issues, epics and merge requests that can be negated; a zero field
// narrows nothing.
type Criteria struct {
	IIDs     []int
	AuthorID *int64
	Author   string   // a username
	Labels   []string // names, all required
	NoLabel  bool
	AnyLabel bool
	Emoji    Choice[string] // a reaction of the viewer

	labelIDs []int64 // those of Labels where they are known, for plans that fit each of them
}

// Selective reports whether issues or others that meet the criteria can be few of many.
func (c Criteria) Selective() bool {
	return c.IIDs != nil || c.AuthorID != nil || c.Author != "" || c.Labels != nil ||
		c.Emoji.Value != nil || c.Emoji.Any
}

// condition is one condition on an issue, epic or merge request t with the values of the arguments
// that it names.
type condition struct {
	sql    string
	values []any
}

// Conditions collects conditions. All of them have to be met or, Negated, none.
type Conditions struct {
	Negated bool
	all     []condition
}

// Into adds the conditions to those of a query.
func (c *Conditions) Into(w *db.Where) {
	for _, one := range c.all {
		if c.Negated {
			one.sql = `(` + one.sql + `) is not true`
		}
		w.And(one.sql, one.values...)
	}
}

// prefix is that of the names of the arguments, so that positive and negated conditions can be in
// one query.
func (c *Conditions) prefix() string {
	if c.Negated {
		return "not_"
	}
	return "is_"
}

// And adds a condition that was asked for. The values are those of the arguments that it names.
func (c *Conditions) And(asked bool, sql string, values ...any) {
	if asked {
		c.all = append(c.all, condition{strings.ReplaceAll(sql, "@", "@"+c.prefix()), values})
	}
}

// either adds the condition that something is missing, or that it is there.
func (c *Conditions) either(none, any bool, column string) {
	c.And(none, column+` is null`)
	c.And(any, column+` is not null`)
}

// lacks negates an open "exists (select …". Each row is asked, until the rows are counted: to join
// the rows with all labels or users of an instance takes longer.
func lacks(exists string) string { return `not ` + exists + ` offset 0)` }

// maxJoined is how many values the planner of Postgres gets a condition each for. What it needs to
// order those grows faster than their number.
const maxJoined = 10

// every adds the conditions that an issue, epic or merge request has each of the values: one for
// each of the first ones, with its number, and one for those beyond maxJoined by how many it has.
func every[T cmp.Ordered](list *Conditions, values []T, one, count string) {
	joined := min(len(values), maxJoined)
	for n, v := range values[:joined] {
		list.And(true, fmt.Sprintf(one, n), v)
	}
	more := slices.Compact(slices.Sorted(slices.Values(values[joined:])))
	if list.Negated {
		list.And(len(more) > 0, count+` > 0`, more)
		return
	}
	list.And(len(more) > 0, fmt.Sprintf(`%s = %d`, count, len(more)), more)
}

// Into adds what something of a kind has to meet. The viewer is who reacted.
func (c Criteria) Into(list *Conditions, kind note.Kind, viewer int64) {
	and, word := list.And, strings.TrimSuffix(kind.Column(), "_id")
	spell := strings.NewReplacer("$word", word).Replace
	and(c.IIDs != nil, `t.iid = any(@iids)`, c.IIDs)
	and(c.AuthorID != nil, `t.author_id = @author_id`, c.AuthorID)
	and(c.Author != "", `t.author_id = (select u.id from users u where lower(u.username) = lower(@author))`, c.Author)

	labelled := spell(`exists (select from $word_labels l where l.$word_id = t.id`)
	and(c.NoLabel, lacks(labelled))
	and(c.AnyLabel, labelled+`)`)
	every(list, c.labelIDs, spell(`t.id in (select i.$word_id from $word_labels i where i.label_id = @label_%d)`),
		spell(`(select count(*) from $word_labels i where i.$word_id = t.id and i.label_id = any(@more_labels))`))
	every(list, c.Labels[len(c.labelIDs):],
		spell(`t.id in (select i.$word_id from $word_labels i join labels l on l.id = i.label_id
			where l.name = @label_%d)`),
		spell(`(select count(distinct l.name) from $word_labels i join labels l on l.id = i.label_id
			where i.$word_id = t.id and l.name = any(@more_labels))`))

	awarded := spell(`exists (select from award_emoji e where e.$word_id = t.id and e.user_id = @viewer`)
	and(c.Emoji.None, `not `+awarded+`)`, viewer)
	and(c.Emoji.Any, awarded+`)`, viewer)
	and(c.Emoji.Value != nil, awarded+` and e.name = @emoji)`, viewer, c.Emoji.Value)
}

// Resolve returns the criteria with the ids of labels in place of their names, in a project.
func (c Criteria) Resolve(ctx context.Context, s *db.Store, in db.Container) (Criteria, error) {
	if in.ProjectID == nil || len(c.Labels) == 0 {
		return c, nil
	}
	byName, err := labelsNamed(ctx, s, in, c.Labels)
	for _, name := range c.Labels {
		c.labelIDs = append(c.labelIDs, byName[name]) // 0, which no label has, if there is none
	}
	return c, err
}

// MilestoneCriteria are the filters by milestone that can be negated.
type MilestoneCriteria struct {
	Milestone Choice[string] // a title
	Upcoming  bool           // the milestone is due in the future
	Started   bool           // the milestone has begun and is open
}

// Into adds what an issue or merge request t has to meet.
func (c MilestoneCriteria) Into(list *Conditions) {
	const milestones = `t.milestone_id in (select m.id from milestones m where `
	list.either(c.Milestone.None, c.Milestone.Any, `t.milestone_id`)
	list.And(c.Milestone.Value != nil, milestones+`m.title = @milestone)`, c.Milestone.Value)
	list.And(c.Upcoming, milestones+`m.state = 'active' and m.due_date > current_date)`)
	list.And(c.Started, milestones+`m.state = 'active' and m.start_date <= current_date)`)
}

// Selective reports whether issues or merge requests that meet the criteria can be few of many.
func (c MilestoneCriteria) Selective() bool {
	return c.Milestone.Value != nil || c.Upcoming || c.Started
}

// UserCriteria are filters by users of whom something may have several, such as assignees.
type UserCriteria struct {
	ID    Choice[int64]
	Names []string // Usernames, all required
}

// Into adds what an issue or merge request t has to meet, whose users are in a table that refers to
// it by a column. Word tells the arguments of several such filters apart.
func (c UserCriteria) Into(list *Conditions, table, column, word string) {
	spell := strings.NewReplacer("$table", table, "$of", column, "$word", word).Replace
	assigned := spell(`exists (select from $table a where a.$of = t.id`)
	list.And(c.ID.None, lacks(assigned))
	list.And(c.ID.Any, assigned+`)`)
	list.And(c.ID.Value != nil, spell(`t.id in (select a.$of from $table a where a.user_id = @$word_id)`), c.ID.Value)
	every(list, lowered(c.Names), spell(`t.id in (
			select a.$of from $table a join users u on u.id = a.user_id where lower(u.username) = @$word_%d)`),
		spell(`(select count(*) from $table a join users u on u.id = a.user_id
			where a.$of = t.id and lower(u.username) = any(@more_$words))`))
}

// Selective reports whether issues or merge requests that meet the criteria can be few of many.
func (c UserCriteria) Selective() bool { return c.ID.Value != nil || c.Names != nil }
