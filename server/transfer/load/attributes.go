package load

import (
	"context"
	"encoding/json"

	"hew/server/db"
	"hew/server/project"
	"hew/server/setting"
	"hew/server/transfer/archive"
	"hew/server/tree"
)

// Override returns the document of a project with the overrides of what is no attribute of it:
// default_branch, archived.
func Override(doc archive.Project, overrides map[string]json.RawMessage) archive.Project {
	given := givenOf(overrides)
	var branch string
	if json.Unmarshal(given["default_branch"], &branch) == nil {
		doc.DefaultBranch = &branch
	}
	var archived bool
	if json.Unmarshal(unquote(given["archived"]), &archived) == nil {
		doc.Archived = archived
	}
	return doc
}

// givenOf returns the overrides that count: those that are not empty.
func givenOf(overrides map[string]json.RawMessage) attributes {
	given := attributes{}
	for name, value := range overrides {
		if string(value) != `""` && string(value) != "null" {
			given[name] = value
		}
	}
	return given
}

// StoreProject gives the project the attributes of its document. Overrides, by the names of the
// API, win; empty texts among them do not count. The visibility is lowered to what the namespace
// and the settings allow the importer. Each attribute that does not fit, and each override that no
// import can set, is a failure; the others are stored.
func (l *Loader) StoreProject(ctx context.Context, doc archive.Project, overrides map[string]json.RawMessage) error {
	given := givenOf(overrides)
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
		wrong := l.apply(&p, doc, given, settings)
		wrong = append(wrong, resetInvalid(&p, was)...)
		if l.project, err = project.UpdateProject(ctx, st, p); err != nil {
			return err
		}
		for _, name := range given.unknown() {
			wrong = append(wrong, "override_params: "+name+" cannot be set by an import")
		}
		for _, text := range wrong {
			f := failureOf(p.ID, "project", 0, invalid(text))
			if err := project.AddImportFailure(ctx, st, f); err != nil {
				return err
			}
		}
		return nil
	})
}

// apply sets the attributes of a project and returns what is wrong with those that do not fit.
func (l *Loader) apply(p *tree.Project, doc archive.Project, given attributes, s setting.Settings) (wrong []string) {
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
		text := Storable(*p.Description)
		if *p.Description = text; text == "" {
			p.Description = nil
		}
	}
	for _, name := range []string{"topics", "tag_list"} {
		if value, ok := all[name]; ok {
			p.Topics = listOf(value)
		}
	}
	p.Visibility = l.allowed(visibility, s)
	for _, name := range all.into(&p.Settings) {
		wrong = append(wrong, name+": is invalid")
	}
	return wrong
}

// allowed returns the highest visibility up to the wanted one that the importer may give something
// in the namespace of the project.
func (l *Loader) allowed(wanted db.Visibility, s setting.Settings) db.Visibility {
	return tree.AllowedVisibility(s, l.Importer, l.Space, wanted)
}
