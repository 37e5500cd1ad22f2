package hook

import (
	"context"
	"encoding/json"
	"reflect"

	"hew/server/db"
	"hew/server/event"
	"hew/server/tree"
	"hew/server/work"
)

// issueListener sends changes of issues to the hooks of their projects and of the groups above.
// Those of confidential issues go only to hooks that want those. Pages are at the address web.
func issueListener(web string) event.Listener {
	return event.On(func(ctx context.Context, st *db.Store, e work.IssueChanged) error {
		h := ofIssue(e.Project, e.Issue.Confidential, "issues_events", e.By)
		return enqueueDeliveries(ctx, st, h, func() ([]any, error) {
			p, err := newIssuePayload(ctx, st, web, e)
			if err != nil || len(p.Changes) == 0 {
				return nil, err
			}
			return []any{p}, nil
		})
	})
}

// ofIssue returns an occurrence in a project, of a kind or of its confidential one.
func ofIssue(p tree.Project, confidential bool, flag string, by tree.User) occurrence {
	if confidential {
		flag = "confidential_" + flag
	}
	return occurrence{flag: flag, at: audience{groups: []int64{p.NamespaceID}, project: &p.ID}, user: by.ID}
}

// changesOf returns the fields that a change of an issue changed. All that a new issue has are
// changed. An issue with no other change than its time is unchanged.
func changesOf(e work.IssueChanged, refs issueRefs) (map[string]change, error) {
	changes, err := changedFields(newIssueColumns(e.Before), newIssueColumns(e.Issue), e.Action == work.Opening)
	if err != nil {
		return nil, err
	}
	addSet(changes, "labels", chosen(refs.labels, e.Before.LabelIDs), chosen(refs.labels, e.Issue.LabelIDs))
	addSet(changes, "assignees", chosen(refs.users, e.Before.AssigneeIDs), chosen(refs.users, e.Issue.AssigneeIDs))
	if spent := e.Issue.TimeSpent - e.Before.TimeSpent; spent != 0 {
		changes["time_change"] = change{0, spent}
	}
	if _, touched := changes["updated_at"]; touched && len(changes) == 1 {
		return nil, nil
	}
	return changes, nil
}

// changedFields returns the fields that differ in two values. Those of a new one are all that are
// set, and had no value before.
func changedFields(before, now any, isNew bool) (map[string]change, error) {
	was, err := fieldsOf(before)
	if err != nil {
		return nil, err
	}
	is, err := fieldsOf(now)
	if err != nil {
		return nil, err
	}
	changes := map[string]change{}
	for name, current := range is {
		previous := was[name]
		if isNew {
			previous = emptyOf(current)
		}
		if !reflect.DeepEqual(previous, current) {
			if isNew {
				previous = nil
			}
			changes[name] = change{previous, current}
		}
	}
	return changes, nil
}

// addSet adds the change of a list, unless both are equal.
func addSet[T any](changes map[string]change, name string, was, now []T) {
	if !reflect.DeepEqual(was, now) {
		changes[name] = change{was, now}
	}
}

// fieldsOf returns the fields of a payload by their names in JSON.
func fieldsOf(payload any) (fields map[string]any, err error) {
	text, err := db.EncodeJSON(payload)
	if err == nil {
		err = json.Unmarshal(text, &fields)
	}
	return fields, err
}

// emptyOf returns what a field of JSON is when it is not set.
func emptyOf(value any) any {
	switch value.(type) {
	case bool:
		return false
	case float64:
		return 0.0
	case string:
		return ""
	}
	return nil
}

// sampleIssue returns a sample of the newest issue of the project; only a test of a hook that wants
// confidential ones shows such an issue.
func sampleIssue(confidential bool) sample {
	return func(ctx context.Context, st *db.Store, at sampleScope) (any, error) {
		if err := at.needProject(); err != nil {
			return nil, err
		}
		f := work.IssueFilter{Viewer: work.Viewer{All: true}, In: at.project.Container()}
		if !confidential {
			f.Confidential = &confidential
		}
		list, _, err := work.ListIssues(ctx, st, f, db.Page{Limit: 1, Desc: true})
		switch {
		case err != nil:
			return nil, err
		case len(list) == 0:
			return sampleMissing("issues")(ctx, st, at)
		}
		return newIssuePayload(ctx, st, at.web, work.IssueChanged{
			Project: at.project, Issue: list[0], Action: work.Opening, By: at.by,
		})
	}
}
