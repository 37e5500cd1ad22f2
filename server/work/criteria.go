package work

import (
	"cmp"
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

// into adds the conditions on an issue or epic t.
func (f Times) into(w *db.Where) {
	w.AndIf(f.CreatedAfter != nil, `t.created_at >= @created_after`, f.CreatedAfter)
	w.AndIf(f.CreatedBefore != nil, `t.created_at <= @created_before`, f.CreatedBefore)
	w.AndIf(f.UpdatedAfter != nil, `t.updated_at >= @updated_after`, f.UpdatedAfter)
	w.AndIf(f.UpdatedBefore != nil, `t.updated_at <= @updated_before`, f.UpdatedBefore)
}

// Criteria are the filters of issues and of epics that can be negated; a zero field narrows
// nothing.
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

// selective reports whether issues or epics that meet the criteria can be few of many.
func (c Criteria) selective() bool {
	return c.IIDs != nil || c.AuthorID != nil || c.Author != "" || c.Labels != nil ||
		c.Emoji.Value != nil || c.Emoji.Any
}

// condition is one condition on an issue or epic t with the values of the arguments that it
// names.
type condition struct {
	sql    string
	values []any
}

// conditions collects conditions. All of them have to be met or, negated, none.
type conditions struct {
	negated bool
	all     []condition
}

// prefix is that of the names of the arguments, so that positive and negated conditions can be in
// one query.
func (c *conditions) prefix() string {
	if c.negated {
		return "not_"
	}
	return "is_"
}

// and adds a condition that was asked for.
func (c *conditions) and(asked bool, sql string, values ...any) {
	if asked {
		c.all = append(c.all, condition{strings.ReplaceAll(sql, "@", "@"+c.prefix()), values})
	}
}

// either adds the condition that something is missing, or that it is there.
func (c *conditions) either(none, any bool, column string) {
	c.and(none, column+` is null`)
	c.and(any, column+` is not null`)
}

// maxJoined is how many values the planner of Postgres gets a condition each for. What it needs to
// order those grows faster than their number.
const maxJoined = 10

// every adds the conditions that an issue or epic has each of the values: one for each of the first
// ones, with its number, and one for those beyond maxJoined by how many it has.
func every[T cmp.Ordered](list *conditions, values []T, one, count string) {
	joined := min(len(values), maxJoined)
	for n, v := range values[:joined] {
		list.and(true, fmt.Sprintf(one, n), v)
	}
	more := slices.Compact(slices.Sorted(slices.Values(values[joined:])))
	if list.negated {
		list.and(len(more) > 0, count+` > 0`, more)
		return
	}
	list.and(len(more) > 0, fmt.Sprintf(`%s = %d`, count, len(more)), more)
}

// into adds what an issue or epic has to meet. The viewer is who reacted.
func (c Criteria) into(list *conditions, kind note.Kind, viewer int64) {
	and, word := list.and, strings.ToLower(string(kind))
	spell := strings.NewReplacer("$word", word).Replace
	and(c.IIDs != nil, `t.iid = any(@iids)`, c.IIDs)
	and(c.AuthorID != nil, `t.author_id = @author_id`, c.AuthorID)
	and(c.Author != "", `t.author_id = (select u.id from users u where lower(u.username) = lower(@author))`, c.Author)

	labelled := spell(`exists (select from $word_labels l where l.$word_id = t.id)`)
	and(c.NoLabel, `not `+labelled)
	and(c.AnyLabel, labelled)
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
