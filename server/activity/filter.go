package activity

import (
	"context"
	"strconv"

	"hew/server/db"
	"hew/server/policy"
	"hew/server/snippet"
	"hew/server/tree"
	"hew/server/work"
)

// Filter narrows a list of events; a zero field narrows nothing.
type Filter struct {
	work.Viewer
	AuthorID   int64
	ProjectID  int64
	Mine       bool // of the projects that the viewer is a member of
	Action     Action
	TargetType string   // as the API writes it in filters: issue, milestone, note, project, wiki …
	Before     *db.Date // both days excluded
	After      *db.Date
}

// ofType are the conditions that an event d is about something of a type.
var ofType = map[string]string{
	"issue":         `d.target_type = 'Issue'`,
	"merge_request": `d.target_type = 'MergeRequest'`,
	"milestone":     `d.target_type = 'Milestone'`,
	"snippet":       `d.target_type = 'Snippet'`,
	"note":          `d.target_type in ('Note', 'DiffNote', 'DiscussionNote')`,
	"project":       `d.target_type is null and d.action = 'created'`,
	"wiki":          `d.target_type = 'WikiPage::Meta'`,
}

// access returns the expression of who has access to a feature of a project p.
func access(feature string) string {
	return `coalesce(p.settings ->> '` + feature + `_access_level', 'enabled')`
}

// sees returns the condition that the viewer, who has the level in the project p of the namespace n
// or sees it without one, has access to a feature of it.
func sees(feature string, level int) string {
	return access(feature) + ` <> 'disabled' and (p.visibility >= @open and ` + access(feature) + ` = 'enabled'
		or ` + tree.Holds(level) + `)`
}

// visibleTo returns the condition that the viewer sees an event, among the tables.
func visibleTo(v work.Viewer) string {
	if v.All {
		return `case when d.issue_id is not null then ` + v.SeesIssue() + `
			when d.merge_request_id is not null then ` + v.SeesMergeRequests() + `
			when d.snippet_id is not null then ` + snippet.Seen(v, "x") + ` else true end`
	}
	planner := tree.Holds(int(policy.Planner))
	return `(n.visibility >= @open and d.project_id is null or p.visibility >= @open or ` + tree.Holds(db.Guest) + `)
		and (o.id is null or not o.internal or ` + planner + `)
		and case when d.issue_id is not null then ` + v.SeesIssue() + `
			when d.merge_request_id is not null then ` + v.SeesMergeRequests() + `
			when d.snippet_id is not null then ` + snippet.Seen(v, "x") + `
			when d.push is not null or d.note_id is not null then ` +
		sees("repository", int(policy.Reporter)) + `
			when d.page is not null and d.project_id is not null then ` + sees("wiki", db.Guest) + `
			else true end`
}

// where returns the conditions of the filter.
func (f Filter) where() *db.Where {
	w := db.NewWhere(f.Args())
	if f.Mine {
		w.Selective = "user_events"
	}
	w.AndIf(f.AuthorID != 0, `d.author_id = @author`, f.AuthorID)
	w.AndIf(f.ProjectID != 0, `d.project_id = @project`, f.ProjectID)
	w.AndIf(f.Mine, `d.project_id = any(array(select p.id`+tree.ProjectTables+` where `+tree.Holds(db.Guest)+`))`)
	w.AndIf(f.Action != "", `d.action = @action`, f.Action)
	w.AndIf(f.Before != nil, `d.created_at < @before::date`, f.Before)
	w.AndIf(f.After != nil, `d.created_at >= @after::date + 1`, f.After)
	if f.TargetType != "" {
		condition, ok := ofType[f.TargetType]
		if !ok {
			condition = `false` // of what hewd does not have
		}
		w.And(condition)
	}
	w.And(visibleTo(f.Viewer))
	return w
}

// List returns a page of the events that the filter admits, and their capped count.
func List(ctx context.Context, s *db.Store, f Filter, p db.Page) ([]Event, int, error) {
	return db.List[Event](ctx, s, p, nil, "d.id", selectEvents, f.where())
}

// keptYears is how long events are kept (more §4).
const keptYears = 3

// SweepJob deletes old events, and writes that memberships of projects have expired.
type SweepJob struct{}

// Kind names the job in the queue.
func (SweepJob) Kind() string { return "sweep_events" }

// sweepRows is how many events are deleted at once.
const sweepRows = 10_000

func sweep(ctx context.Context, st *db.Store, _ SweepJob) error {
	if err := addExpired(ctx, st); err != nil {
		return err
	}
	for {
		n, err := st.Affected(ctx, `delete from user_events where id in (
			select id from user_events where created_at < now() - interval '`+strconv.Itoa(keptYears)+` years'
			order by created_at limit `+strconv.Itoa(sweepRows)+`)`, nil)
		if err != nil || n < sweepRows {
			return err
		}
	}
}

// addExpired writes an event for each membership of a project that no longer counts since today or
// yesterday, once.
func addExpired(ctx context.Context, st *db.Store) error {
	return st.Exec(ctx, `
		insert into user_events (project_id, author_id, action)
		select m.project_id, m.user_id, 'expired' from members m
		where m.project_id is not null and m.expires_at between current_date - 1 and current_date
			and not exists (select from user_events d where d.project_id = m.project_id and d.author_id = m.user_id
				and d.action = 'expired' and d.created_at >= m.expires_at)`, nil)
}
