package integration

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"hew/server/db"
	"hew/server/fault"
)

// IncidentSettings is what a project does about its alerts (gaps §13.2).
type IncidentSettings struct {
	ID          int64 `db:"id,auto" json:"-"`
	ProjectID   int64 `db:"project_id" json:"-"`
	CreateIssue bool  `db:"create_issue" json:"create_issue"` // an alert opens an incident
	// reports resolve alerts and close incidents
	AutoClose bool      `db:"auto_close_incident" json:"auto_close_incident"`
	CreatedAt time.Time `db:"created_at,auto" json:"-"`
	UpdatedAt time.Time `db:"updated_at,auto" json:"-"`
}

// NewIncidentSettings returns the settings of a project that has changed none.
func NewIncidentSettings(projectID int64) IncidentSettings {
	return IncidentSettings{ProjectID: projectID, AutoClose: true}
}

// FindIncidentSettings returns the settings of a project, the defaults if it has none.
func FindIncidentSettings(ctx context.Context, st *db.Store, projectID int64) (IncidentSettings, error) {
	i, err := incidentSettings(st, projectID).One(ctx, db.AnyRow)
	if fault.CodeOf(err) == fault.CodeNotFound {
		return NewIncidentSettings(projectID), nil
	}
	return i, err
}

// ChangeIncidentSettings changes the settings of a project.
func ChangeIncidentSettings(
	ctx context.Context, st *db.Store, projectID int64, change func(*IncidentSettings) error,
) (IncidentSettings, error) {
	return incidentSettings(st, projectID).Put(ctx, db.AnyRow, NewIncidentSettings(projectID), db.Plain(change))
}

func incidentSettings(st *db.Store, projectID int64) db.Held[IncidentSettings] {
	return db.NewHeld[IncidentSettings](st, db.Container{ProjectID: &projectID}, "incident_settings")
}

// maxIncidentMarkdown limits what an alert adds to the text of its incident, in bytes.
const maxIncidentMarkdown = 100_000

// incidentMarkdown returns what the annotations of an alert in the metrics format add to the text
// of its incident.
func incidentMarkdown(payload json.RawMessage) string {
	fields := alertFields{}
	if json.Unmarshal(payload, &fields) != nil {
		return ""
	}
	own := fields.object("annotations").text("gitlab_incident_markdown", "svc_incident_markdown")
	return strings.ToValidUTF8(own[:min(len(own), maxIncidentMarkdown)], "")
}

// asMarkdown returns a text that a monitoring tool has sent, on one line and without markup, so
// that it neither mentions users nor refers to anything.
func asMarkdown(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + text + " " + fence
	}
	return fence + text + fence
}
