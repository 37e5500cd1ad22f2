package hook

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
	"hew/server/work"
)

type labelPayload struct {
	ID          int64     `json:"id"`
	Title       string    `json:"title"`
	Color       string    `json:"color"`
	ProjectID   *int64    `json:"project_id"`
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
	Template    bool      `json:"template"`
	Description *string   `json:"description"`
	Type        string    `json:"type"` // ProjectLabel, GroupLabel
	GroupID     *int64    `json:"group_id"`
}

// labelRow is a row of labels.
type labelRow struct {
	LabelID int64 `db:"id"`
	db.Container
	Name        string    `db:"name"`
	Color       string    `db:"color"`
	Description *string   `db:"description"`
	CreatedAt   time.Time `db:"created_at"`
	UpdatedAt   time.Time `db:"updated_at"`
}

func (l labelRow) payload() labelPayload {
	kind := "ProjectLabel"
	if l.NamespaceID != nil {
		kind = "GroupLabel"
	}
	return labelPayload{
		ID: l.LabelID, Title: l.Name, Color: l.Color, ProjectID: l.ProjectID, CreatedAt: wholeSeconds(l.CreatedAt),
		UpdatedAt: wholeSeconds(l.UpdatedAt), Description: l.Description, Type: kind, GroupID: l.NamespaceID,
	}
}

// issueRefs is what issues refer to, by id.
type issueRefs struct {
	labels map[int64]labelPayload
	users  map[int64]hookUser
}

// readIssueRefs reads the labels and assignees of issues.
func readIssueRefs(ctx context.Context, st *db.Store, web string, list ...work.Issue) (refs issueRefs, err error) {
	var labels, users []int64
	for _, i := range list {
		labels, users = append(labels, i.LabelIDs...), append(users, i.AssigneeIDs...)
	}
	return readRefs(ctx, st, web, labels, users)
}

// readRefs reads labels and users by their ids.
func readRefs(ctx context.Context, st *db.Store, web string, labels, users []int64) (refs issueRefs, err error) {
	refs = issueRefs{map[int64]labelPayload{}, map[int64]hookUser{}}
	if len(labels) > 0 {
		rows, err := db.Many[labelRow](ctx, st, `select t.id, t.namespace_id, t.project_id, t.name, t.color, t.description,
			t.created_at, t.updated_at from labels t where t.id = any(@ids)`, pgx.NamedArgs{"ids": labels})
		if err != nil {
			return refs, err
		}
		for _, l := range rows {
			refs.labels[l.LabelID] = l.payload()
		}
	}
	if len(users) == 0 {
		return refs, nil
	}
	rows, err := db.Many[tree.User](ctx, st, tree.SelectUsers+` where u.id = any(@ids)`, pgx.NamedArgs{"ids": users})
	for _, u := range rows {
		refs.users[u.ID] = newHookUser(web, u)
	}
	return refs, err
}

// chosen returns the values of the ids that are known, in the order of the ids.
func chosen[T any](known map[int64]T, ids []int64) []T {
	list := []T{}
	for _, id := range ids {
		if v, ok := known[id]; ok {
			list = append(list, v)
		}
	}
	return list
}
