package work

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"hew/server/db"
	"hew/server/work/due"
)

func setDueDate(_ context.Context, _ *db.Store, r *issueRun, i *Issue, text string) (string, error) {
	day, ok := due.Day(text, db.Today().Time)
	if !ok {
		return "", FailedCommand("Failed to set due date because the date format is invalid.")
	}
	i.DueDate = db.DateOf(day)
	r.Changes("due_date", i.DueDate.String())
	return "Set the due date to " + day.Format("Jan 2, 2006") + ".", nil
}

func removeDueDate(_ context.Context, _ *db.Store, r *issueRun, i *Issue, _ string) (string, error) {
	if i.DueDate == nil {
		return "", nil
	}
	i.DueDate = nil
	r.Changes("due_date", nil)
	return "Removed the due date.", nil
}

func setWeight(_ context.Context, _ *db.Store, r *issueRun, i *Issue, text string) (string, error) {
	weight, err := strconv.ParseInt(text, 10, 32)
	if err != nil || weight < 0 {
		return "", nil
	}
	i.Weight = new(int(weight))
	r.Changes("weight", weight)
	return "Set weight to " + strconv.FormatInt(weight, 10) + ".", nil
}

func clearWeight(_ context.Context, _ *db.Store, r *issueRun, i *Issue, _ string) (string, error) {
	if i.Weight == nil {
		return "", nil
	}
	i.Weight = nil
	r.Changes("weight", nil)
	return "Cleared weight.", nil
}

func setHealth(_ context.Context, _ *db.Store, r *issueRun, i *Issue, status string) (string, error) {
	if !slices.Contains([]string{"on_track", "needs_attention", "at_risk"}, status) {
		return "", nil
	}
	i.HealthStatus = &status
	r.Changes("health_status", status)
	return "Set health status to " + status + ".", nil
}

func clearHealth(_ context.Context, _ *db.Store, r *issueRun, i *Issue, _ string) (string, error) {
	if i.HealthStatus == nil {
		return "", nil
	}
	i.HealthStatus = nil
	r.Changes("health_status", nil)
	return "Cleared health status.", nil
}

// severities maps the names of severities to what is stored.
var severities = map[string]string{
	"s1": "critical", "s2": "high", "s3": "medium", "s4": "low",
	"critical": "critical", "high": "high", "medium": "medium", "low": "low", "unknown": "unknown",
}

func setSeverity(_ context.Context, _ *db.Store, r *issueRun, i *Issue, text string) (string, error) {
	severity, ok := severities[strings.ToLower(text)]
	if !ok || i.Type != "incident" {
		return "", nil
	}
	i.Severity = severity
	r.Changes("severity", severity)
	return "Severity updated to " + severity + ".", nil
}

func setType(_ context.Context, _ *db.Store, r *issueRun, i *Issue, text string) (string, error) {
	kind := strings.ReplaceAll(strings.ToLower(text), " ", "_")
	if !slices.Contains([]string{"issue", "incident", "test_case", "task"}, kind) || kind == i.Type {
		return "", nil
	}
	i.Type = kind
	r.Changes("issue_type", kind)
	return "Type changed successfully.", nil
}

func promoteToIncident(_ context.Context, _ *db.Store, r *issueRun, i *Issue, _ string) (string, error) {
	if i.Type == "incident" {
		return "", nil
	}
	i.Type = "incident"
	r.Changes("issue_type", "incident")
	return "Issue has been promoted to incident.", nil
}
