package work

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"hew/server/db"
	"hew/server/work/due"
	"hew/server/work/duration"
)

// doer is the function of a command.
type doer = func(ctx context.Context, st *db.Store, r *CommandRun, i *Issue, argument string) (string, error)

// setState returns a command that leads to a state from the other one.
func setState(state, event, said string) doer {
	return func(_ context.Context, _ *db.Store, r *CommandRun, i *Issue, _ string) (string, error) {
		if i.State == state {
			return "", nil
		}
		i.State = state
		r.changes("state_event", event)
		return said, nil
	}
}

func setTitle(_ context.Context, _ *db.Store, r *CommandRun, i *Issue, title string) (string, error) {
	if title == "" || utf8.RuneCountInString(title) > 255 {
		return "", nil
	}
	i.Title = title
	r.changes("title", title)
	return `Changed the title to "` + title + `".`, nil
}

func setEstimate(_ context.Context, _ *db.Store, r *CommandRun, i *Issue, text string) (string, error) {
	seconds, ok := duration.Parse(text)
	if !ok && !duration.IsZero(text) || seconds < 0 || seconds > maxSeconds {
		return "", nil
	}
	i.TimeEstimate = seconds
	r.changes("time_estimate", seconds)
	if seconds == 0 {
		return "Removed time estimate.", nil
	}
	return "Set time estimate to " + duration.Format(seconds) + ".", nil
}

func removeEstimate(_ context.Context, _ *db.Store, r *CommandRun, i *Issue, _ string) (string, error) {
	if i.TimeEstimate == 0 {
		return "", nil
	}
	i.TimeEstimate = 0
	r.changes("time_estimate", 0)
	return "Removed time estimate.", nil
}

func setDueDate(_ context.Context, _ *db.Store, r *CommandRun, i *Issue, text string) (string, error) {
	day, ok := due.Day(text, db.Today().Time)
	if !ok {
		return "Failed to set due date because the date format is invalid.", nil
	}
	i.DueDate = db.DateOf(day)
	r.changes("due_date", i.DueDate.String())
	return "Set the due date to " + day.Format("Jan 2, 2006") + ".", nil
}

func removeDueDate(_ context.Context, _ *db.Store, r *CommandRun, i *Issue, _ string) (string, error) {
	if i.DueDate == nil {
		return "", nil
	}
	i.DueDate = nil
	r.changes("due_date", nil)
	return "Removed the due date.", nil
}

// setLock returns a command that locks or unlocks the discussion.
func setLock(locked bool, said string) doer {
	return func(_ context.Context, _ *db.Store, r *CommandRun, i *Issue, _ string) (string, error) {
		if isTrue(i.DiscussionLocked) == locked {
			return "", nil
		}
		i.DiscussionLocked = &locked
		r.changes("discussion_locked", locked)
		return said, nil
	}
}

func makeConfidential(_ context.Context, _ *db.Store, r *CommandRun, i *Issue, _ string) (string, error) {
	if i.Confidential {
		return "", nil
	}
	i.Confidential = true
	r.changes("confidential", true)
	return "Made this issue confidential.", nil
}

func setWeight(_ context.Context, _ *db.Store, r *CommandRun, i *Issue, text string) (string, error) {
	weight, err := strconv.ParseInt(text, 10, 32)
	if err != nil || weight < 0 {
		return "", nil
	}
	i.Weight = new(int(weight))
	r.changes("weight", weight)
	return "Set weight to " + strconv.FormatInt(weight, 10) + ".", nil
}

func clearWeight(_ context.Context, _ *db.Store, r *CommandRun, i *Issue, _ string) (string, error) {
	if i.Weight == nil {
		return "", nil
	}
	i.Weight = nil
	r.changes("weight", nil)
	return "Cleared weight.", nil
}

func setHealth(_ context.Context, _ *db.Store, r *CommandRun, i *Issue, status string) (string, error) {
	if !slices.Contains([]string{"on_track", "needs_attention", "at_risk"}, status) {
		return "", nil
	}
	i.HealthStatus = &status
	r.changes("health_status", status)
	return "Set health status to " + status + ".", nil
}

func clearHealth(_ context.Context, _ *db.Store, r *CommandRun, i *Issue, _ string) (string, error) {
	if i.HealthStatus == nil {
		return "", nil
	}
	i.HealthStatus = nil
	r.changes("health_status", nil)
	return "Cleared health status.", nil
}

// severities maps the names of severities to what is stored.
var severities = map[string]string{
	"s1": "critical", "s2": "high", "s3": "medium", "s4": "low",
	"critical": "critical", "high": "high", "medium": "medium", "low": "low", "unknown": "unknown",
}

func setSeverity(_ context.Context, _ *db.Store, r *CommandRun, i *Issue, text string) (string, error) {
	severity, ok := severities[strings.ToLower(text)]
	if !ok || i.Type != "incident" {
		return "", nil
	}
	i.Severity = severity
	r.changes("severity", severity)
	return "Severity updated to " + severity + ".", nil
}

func setType(_ context.Context, _ *db.Store, r *CommandRun, i *Issue, text string) (string, error) {
	kind := strings.ReplaceAll(strings.ToLower(text), " ", "_")
	if !slices.Contains([]string{"issue", "incident", "test_case", "task"}, kind) || kind == i.Type {
		return "", nil
	}
	i.Type = kind
	r.changes("issue_type", kind)
	return "Type changed successfully.", nil
}

func promoteToIncident(_ context.Context, _ *db.Store, r *CommandRun, i *Issue, _ string) (string, error) {
	if i.Type == "incident" {
		return "", nil
	}
	i.Type = "incident"
	r.changes("issue_type", "incident")
	return "Issue has been promoted to incident.", nil
}
