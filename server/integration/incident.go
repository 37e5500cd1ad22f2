package integration

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/note"
	"hew/server/people"
	"hew/server/policy"
	"hew/server/tree"
	"hew/server/work"
)

// IncidentJob brings the incident of an alert to the state of the alert: it opens one for an open
// alert, and closes that of a resolved one. Alerts are answered without waiting for it.
type IncidentJob struct {
	jobs.Sole
	Alert int64 `json:"alert"`
}

// Kind returns the name of the job.
func (IncidentJob) Kind() string { return "sync_incident" }

// enqueueIncidents enqueues a job for each alert that is to open or close an incident.
func enqueueIncidents(ctx context.Context, st *db.Store, settings IncidentSettings, list []Alert) error {
	var due []jobs.Args
	for _, a := range list {
		opens := a.Status != Resolved && a.IssueID == nil && settings.CreateIssue
		closes := a.Status == Resolved && a.IssueID != nil
		// A job that is to open the incident may not have run yet.
		waits := a.Status == Resolved && settings.CreateIssue
		if opens || closes || waits {
			due = append(due, IncidentJob{Alert: a.ID})
		}
	}
	if len(due) == 0 {
		return nil
	}
	return jobs.Enqueue(ctx, st, due...)
}

// syncIncident does an IncidentJob. It locks the alert, so that two jobs open one incident.
func syncIncident(ctx context.Context, st *db.Store, j IncidentJob) error {
	return st.Tx(ctx, func(st *db.Store) error {
		a, err := db.One[Alert](ctx, st, "Alert", `
			select `+alertColumns+` from alerts t where t.id = @id for no key update of t`, pgx.NamedArgs{"id": j.Alert})
		if err != nil {
			return fault.IgnoreNotFound(err)
		}
		settings, err := FindIncidentSettings(ctx, st, a.ProjectID)
		if err != nil {
			return err
		}
		switch {
		case a.Status == Resolved && a.IssueID != nil && settings.AutoClose:
			return closeIncident(ctx, st, *a.IssueID)
		case a.Status != Resolved && a.IssueID == nil && settings.CreateIssue:
			return openIncident(ctx, st, a)
		}
		return nil
	})
}

// openIncident creates the incident of an alert, unless its project has no issues or is archived.
func openIncident(ctx context.Context, st *db.Store, a Alert) error {
	p, err := tree.FindProject(ctx, st, a.ProjectID)
	if err != nil || p.Archived || p.Settings.IssuesAccess == string(policy.Disabled) {
		return err
	}
	bot, err := people.AlertBot(ctx, st)
	if err != nil {
		return err
	}
	i, err := work.CreateIssue(ctx, st, p, bot, func(_ *db.Store, i *work.Issue) error {
		text := incidentText(a)
		i.Title, i.Description, i.Type, i.Severity = a.Title, &text, "incident", incidentSeverity(a.Severity)
		return nil
	})
	if err != nil {
		return err
	}
	return st.Exec(ctx, `update alerts set issue_id = @issue where id = @id`, pgx.NamedArgs{"issue": i.ID, "id": a.ID})
}

// closeIncident closes an incident and notes down why, unless it is closed or gone.
func closeIncident(ctx context.Context, st *db.Store, id int64) error {
	found, err := work.IssuesByID(ctx, st, []int64{id})
	i, ok := found[id]
	if err != nil || !ok || i.State != work.Opened {
		return err
	}
	p, err := tree.FindProject(ctx, st, i.ProjectID)
	if err != nil {
		return err
	}
	bot, err := people.AlertBot(ctx, st)
	if err != nil {
		return err
	}
	closed := false
	i, err = work.ChangeIssue(ctx, st, p, bot, db.ByID(id), func(_ *db.Store, i *work.Issue) error {
		closed = i.State == work.Opened
		i.State = work.Closed
		return nil
	})
	if err != nil || !closed {
		return fault.IgnoreNotFound(err)
	}
	return note.AddSystem(ctx, st, i.Target(), bot.ID, "automatically closed this incident because the alert resolved.")
}

// incidentSeverity returns the severity of the incident of an alert: incidents know no "info".
func incidentSeverity(of string) string {
	if of == "info" {
		return "unknown"
	}
	return of
}

// incidentText returns the description of the incident of an alert. What the alert adds to it in
// Markdown comes last (spec 3 §2.3).
func incidentText(a Alert) string {
	lines := []string{
		"#### Summary", "",
		"**Severity:** " + a.Severity + "  ",
		"**Start time:** " + a.StartedAt.UTC().Format("2 January 2006, 3:04PM (UTC)") + "  ",
	}
	add := func(name string, value *string) {
		if value != nil && *value != "" {
			lines = append(lines, fmt.Sprintf("**%s:** %s  ", name, asMarkdown(*value)))
		}
	}
	add("Service", a.Service)
	add("Monitoring tool", a.MonitoringTool)
	hosts := strings.Join(a.Hosts, " ")
	add("Hosts", &hosts)
	add("Environment", a.Environment)
	add("Description", a.Description)
	lines = append(lines, fmt.Sprintf("**Alert:** %d", a.IID))
	if own := incidentMarkdown(a.Payload); own != "" {
		lines = append(lines, "", "---", "", own)
	}
	return strings.Join(lines, "\n")
}
