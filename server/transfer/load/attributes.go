package load

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"hew/server/db"
	"hew/server/project"
	"hew/server/setting"
	"hew/server/transfer/archive"
	"hew/server/tree"
)

// StoreProject gives the project the attributes of its document. Overrides, by the names of the
// API, win; empty texts among them do not count. The visibility is lowered to what the namespace
// and the settings allow the importer. Attributes that do not fit are failures.
func (l *Loader) StoreProject(ctx context.Context, doc archive.Project, overrides map[string]json.RawMessage) error {
	given := attributes{}
	for name, value := range overrides {
		if string(value) != `""` && string(value) != "null" {
			given[name] = value
		}
	}
	return l.Step(ctx, "project", func(st *db.Store) error {
		settings, err := setting.Read(ctx, st)
		if err != nil {
			return err
		}
		p, err := tree.HoldProject(ctx, st, l.project.ID)
		if err != nil {
			return err
		}
		was := p
		wrong := l.apply(&p, doc, given, settings.RestrictedVisibilities)
		if err := project.CheckSettings(p); err != nil {
			wrong = append(wrong, err.Error())
			p.Settings, p.Description, p.Topics = was.Settings, was.Description, was.Topics
		}
		if l.project, err = project.UpdateProject(ctx, st, p); err != nil {
			return err
		}
		for _, name := range wrong {
			f := failureOf(p.ID, "project", 0, invalid(name+": is invalid"))
			if err := project.AddImportFailure(ctx, st, f); err != nil {
				return err
			}
		}
		return nil
	})
}

// apply sets the attributes of a project and returns those that do not fit.
func (l *Loader) apply(p *tree.Project, doc archive.Project, given attributes, restricted []string) (wrong []string) {
	all := fromArchive(doc)
	switches(given)
	p.Description = doc.Description
	visibility := visibilityOf(doc.VisibilityLevel)
	for name, value := range given {
		if level, ok := levelWord(name, unquote(value)); ok {
			value = level
		}
		all[name] = value
		var word string
		_ = json.Unmarshal(value, &word)
		switch name {
		case "description":
			p.Description = &word
		case "visibility":
			visibility = db.ParseVisibility(word)
		case "visibility_level":
			var level int
			if json.Unmarshal(unquote(value), &level) == nil {
				visibility = visibilityOf(level)
			}
		}
	}
	if p.Description != nil {
		text := strings.ReplaceAll(*p.Description, "\x00", "")
		if *p.Description = text; text == "" {
			p.Description = nil
		}
	}
	for _, name := range []string{"topics", "tag_list"} {
		if value, ok := all[name]; ok {
			p.Topics = listOf(value)
		}
	}
	p.Visibility = l.allowed(visibility, restricted)
	return all.into(&p.Settings)
}

// allowed returns the highest visibility that is no higher than wanted, and allowed to the importer
// in the namespace of the project.
func (l *Loader) allowed(wanted db.Visibility, restricted []string) db.Visibility {
	most := db.Public
	if l.Space.Kind == "group" {
		most = l.Space.Visibility
	}
	for _, v := range []db.Visibility{db.Public, db.Internal, db.Private} {
		if v <= wanted && v <= most && (l.Importer.Admin || !slices.Contains(restricted, v.String())) {
			return v
		}
	}
	return db.Private
}
