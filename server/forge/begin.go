package forge

import (
	"context"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/project"
	"hew/server/setting"
	"hew/server/tree"
)

// New is a project to be imported.
type New struct {
	Source      Source
	Options     Options
	Name        string // as it is shown
	Path        string // the last part of the path of the project
	Description string // of any length; it is cut to maxDescription characters
	Private     bool   // at the host
	Space       tree.Group
	By          tree.User
	Correlation string    // the id of the request that asks for it
	After       time.Time // when it begins; zero: at once
}

// maxDescription is how long a description of a project can be, in characters.
const maxDescription = 2000

// Begin creates a project and has it imported. It is private if it is so at the host; else it is
// public as far as its namespace and the settings allow.
func Begin(ctx context.Context, st *db.Store, n New) (p tree.Project, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		settings, err := setting.Read(ctx, st)
		if err != nil {
			return err
		}
		p = tree.NewProject(n.Name, n.Path, n.Space.ID)
		p.Visibility = visibilityOf(n, settings)
		if text := []rune(n.Description); len(text) > 0 {
			p.Description = new(string(text[:min(len(text), maxDescription)]))
		}
		if p, err = project.CreateProject(ctx, st, p, n.By, project.Seed{}); err != nil {
			return err
		}
		if p, err = project.BeginImport(ctx, st, p, n.Source.Kind, n.Source.encode()); err != nil {
			return err
		}
		record := project.ImportRecord{ProjectID: p.ID, CorrelationID: n.Correlation}
		if err := project.StoreImportRecord(ctx, st, record); err != nil {
			return err
		}
		if err := insertProgress(ctx, st, Progress{
			ProjectID: p.ID, UserID: n.By.ID, Repository: n.Source.FullName, Options: n.Options,
			WaitsUntil: optionalTime(n.After),
		}); err != nil {
			return err
		}
		if !n.After.IsZero() {
			return jobs.Enqueue(ctx, st, wakeJob{At: jobs.At{Time: n.After}, ProjectID: p.ID})
		}
		return jobs.Enqueue(ctx, st, importJob{ProjectID: p.ID})
	})
	return p, err
}

// optionalTime returns a pointer to a time, nil for the zero value.
func optionalTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// visibilityOf returns how visible the project becomes.
func visibilityOf(n New, settings setting.Settings) db.Visibility {
	if n.Private {
		return db.Private
	}
	return tree.AllowedVisibility(settings, n.By, n.Space, db.Public)
}

// Cancel ends the import of a project, and returns the project and where it came from. What has
// been stored stays. An import that is over is a fault.
func Cancel(ctx context.Context, st *db.Store, p tree.Project) (_ tree.Project, repository string, err error) {
	at, err := findProgress(ctx, st, p.ID)
	if fault.CodeOf(err) == fault.CodeNotFound {
		return p, "", overError(p)
	}
	if err != nil {
		return p, "", err
	}
	p, canceled, err := project.CancelImport(ctx, st, p.ID)
	if err == nil && !canceled {
		err = overError(p)
	}
	return p, at.Repository, err
}

func overError(p tree.Project) error {
	return fault.BadRequest("The import cannot be canceled because it is " + p.ImportStatus).In(fault.Text)
}
