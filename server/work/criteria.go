package work

import (
	"fmt"
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

// conditions collects conditions. The names of their arguments get the prefix.
type conditions struct {
	prefix string
	all    []condition
}

// and adds a condition that was asked for.
func (c *conditions) and(asked bool, sql string, values ...any) {
	if asked {
		c.all = append(c.all, condition{strings.ReplaceAll(sql, "@", "@"+c.prefix), values})
	}
}

// either adds the condition that something is missing, or that it is there.
func (c *conditions) either(none, any bool, column string) {
	c.and(none, column+` is null`)
	c.and(any, column+` is not null`)
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
	for n, id := range c.labelIDs {
		if n == 0 { // an array is looked up one by one, however many rows Postgres would rather read
			and(true, spell(`t.id = any(array(select i.$word_id from $word_labels i where i.label_id = @label_0))`), id)
			continue
		}
		and(true, fmt.Sprintf(spell(`t.id in (
			select i.$word_id from $word_labels i where i.label_id = @label_%d)`), n), id)
	}
	for n, name := range c.Labels[len(c.labelIDs):] {
		and(true, fmt.Sprintf(spell(`t.id in (select i.$word_id from $word_labels i join labels l on l.id = i.label_id
			where l.name = @label_%d)`), n), name)
	}

	awarded := spell(`exists (select from award_emoji e where e.$word_id = t.id and e.user_id = @viewer`)
	and(c.Emoji.None, `not `+awarded+`)`, viewer)
	and(c.Emoji.Any, awarded+`)`, viewer)
	and(c.Emoji.Value != nil, awarded+` and e.name = @emoji)`, viewer, c.Emoji.Value)
}
