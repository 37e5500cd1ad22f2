package work

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/note"
	"hew/server/tree"
)

// Epic is a row of epics with what is shown of it (spec 2 §2.6). An epic belongs to a group and
// holds issues of the projects below it, and epics of the group and below it.
type Epic struct {
	ID                 int64      `db:"id,auto"`
	NamespaceID        int64      `db:"namespace_id"`
	IID                int        `db:"iid"` // its number in the group
	AuthorID           *int64     `db:"author_id"`
	Title              string     `db:"title"`
	Description        *string    `db:"description"`
	State              string     `db:"state"` // Opened, Closed
	Confidential       bool       `db:"confidential"`
	DiscussionLocked   *bool      `db:"discussion_locked"`
	Color              string     `db:"color"` // #RRGGBB or #RGB
	StartDateIsFixed   bool       `db:"start_date_is_fixed"`
	StartDateFixed     *db.Date   `db:"start_date_fixed"`
	StartDateInherited *db.Date   `db:"start_date_inherited,auto"` // of milestones and children
	StartDate          *db.Date   `db:"start_date,auto"`           // the fixed or the inherited one
	DueDateIsFixed     bool       `db:"due_date_is_fixed"`
	DueDateFixed       *db.Date   `db:"due_date_fixed"`
	DueDateInherited   *db.Date   `db:"due_date_inherited,auto"`
	DueDate            *db.Date   `db:"due_date,auto"`
	ParentID           *int64     `db:"parent_id"`
	RelativePosition   *int       `db:"relative_position"` // among the children of the parent
	Upvotes            int        `db:"upvotes,auto"`
	Downvotes          int        `db:"downvotes,auto"`
	ClosedAt           *time.Time `db:"closed_at"`
	ClosedByID         *int64     `db:"closed_by_id"`
	LastEditedAt       *time.Time `db:"last_edited_at"`
	LastEditedByID     *int64     `db:"last_edited_by_id"`
	CreatedAt          time.Time  `db:"created_at"`
	UpdatedAt          time.Time  `db:"updated_at,auto"`

	Path     string       `db:"path,auto"` // full path of the group
	Author   *tree.Person `db:"author,auto"`
	LabelIDs []int64      `db:"label_ids,auto"`
	Children bool         `db:"children,auto"` // it has child epics
	Issues   bool         `db:"issues,auto"`   // it has issues
}

// Target returns the epic as the target of notes.
func (e Epic) Target() note.Target {
	return note.Target{Container: db.Container{NamespaceID: &e.NamespaceID}, Kind: note.Epic, ID: e.ID, IID: e.IID}
}

// IsAuthor reports whether a user made the epic.
func (e Epic) IsAuthor(userID int64) bool { return e.AuthorID != nil && *e.AuthorID == userID }

// ReferenceFrom returns how the epic is referred to from a group or project with a full path:
// "&1" within its group, "acme&1" from elsewhere.
func (e Epic) ReferenceFrom(from string) string { return epicReference(e.Path, e.IID, from) }

func epicReference(path string, iid int, from string) string {
	if path == from {
		path = ""
	}
	return fmt.Sprintf("%s&%d", path, iid)
}

// epicColumns are the columns of an epic t of a group n.
var epicColumns = `
	t.*, n.full_path as path, ` + tree.PersonColumn("t.author_id") + ` as author,
	array(select l.label_id from epic_labels l where l.epic_id = t.id order by l.label_id) as label_ids,
	exists (select from epics c where c.parent_id = t.id) as children,
	exists (select from issues i where i.epic_id = t.id) as issues`

var selectEpics = `select ` + epicColumns + ` from epics t join namespaces n on n.id = t.namespace_id`

// Epics returns all epics of a group. Viewer says who may see them.
func Epics(s *db.Store, groupID int64) db.Held[Epic] {
	h := db.NewHeld[Epic](s, db.Container{NamespaceID: &groupID}, "epics")
	h.Select, h.What = selectEpics, "Epic"
	return h
}

// EpicsByID returns epics of any group by their ids, including those that a caller may not see.
func EpicsByID(ctx context.Context, s *db.Store, ids []int64) (map[int64]Epic, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := db.Many[Epic](ctx, s, selectEpics+` where t.id = any(@ids)`, pgx.NamedArgs{"ids": ids})
	byID := make(map[int64]Epic, len(list))
	for _, e := range list {
		byID[e.ID] = e
	}
	return byID, err
}
