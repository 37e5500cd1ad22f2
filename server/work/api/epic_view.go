package api

import (
	"context"
	"fmt"
	"time"

	"hew/server/db"
	"hew/server/scope"
	"hew/server/view"
	"hew/server/work"
)

// epicView is an epic as answers show it (spec 2 §2.6).
type epicView struct {
	ID           int64           `json:"id"`
	IID          int             `json:"iid"`
	Color        string          `json:"color"`
	TextColor    string          `json:"text_color"`
	GroupID      int64           `json:"group_id"`
	ParentID     *int64          `json:"parent_id"`
	ParentIID    *int            `json:"parent_iid"`
	Title        string          `json:"title"`
	Description  *string         `json:"description"`
	Confidential bool            `json:"confidential"`
	Author       *view.BasicUser `json:"author"`
	StartDate    *db.Date        `json:"start_date"`
	EndDate      *db.Date        `json:"end_date"` // deprecated: due_date
	DueDate      *db.Date        `json:"due_date"`
	*epicDates
	State      string        `json:"state"`
	WebURL     string        `json:"web_url"`
	References References    `json:"references"`
	Reference  string        `json:"reference"` // deprecated: references
	CreatedAt  time.Time     `json:"created_at"`
	UpdatedAt  time.Time     `json:"updated_at"`
	ClosedAt   *time.Time    `json:"closed_at"`
	Labels     any           `json:"labels"` // names, or labelDetails
	Upvotes    int           `json:"upvotes"`
	Downvotes  int           `json:"downvotes"`
	Links      epicAddresses `json:"_links"`
	Subscribed *bool         `json:"subscribed,omitempty"` // of one epic
}

// epicDates are where the dates of an epic come from. Only users who may edit the epic see them.
type epicDates struct {
	StartIsFixed        bool     `json:"start_date_is_fixed"`
	StartFixed          *db.Date `json:"start_date_fixed"`
	StartInherited      *db.Date `json:"start_date_from_inherited_source"`
	StartFromMilestones *db.Date `json:"start_date_from_milestones"` // deprecated
	DueIsFixed          bool     `json:"due_date_is_fixed"`
	DueFixed            *db.Date `json:"due_date_fixed"`
	DueInherited        *db.Date `json:"due_date_from_inherited_source"`
	DueFromMilestones   *db.Date `json:"due_date_from_milestones"` // deprecated
}

type epicAddresses struct {
	Self   string  `json:"self"`
	Issues string  `json:"epic_issues"`
	Group  string  `json:"group"`
	Parent *string `json:"parent"`
}

// epicViews shows epics.
type epicViews struct {
	*view.Site
	from    string // the full path of the group that the caller asked in
	details bool   // of labels
}

// of returns the views of epics. What they refer to is read once for all of them.
func (v epicViews) of(ctx context.Context, s scope.Anyone, list []work.Epic) ([]epicView, error) {
	var labels, parents, groups []int64
	for _, e := range list {
		labels, parents = append(labels, e.LabelIDs...), db.AppendNotNull(parents, e.ParentID)
		groups = append(groups, e.NamespaceID)
	}
	labelled, err := work.LabelsByID(ctx, s.Store, labels)
	if err != nil {
		return nil, err
	}
	above, err := ViewerOf(s).EpicRefs(ctx, s.Store, parents)
	if err != nil {
		return nil, err
	}
	editable, err := ViewerOf(s).PlannedGroups(ctx, s.Store, groups)
	if err != nil {
		return nil, err
	}
	views := make([]epicView, len(list))
	for n, e := range list {
		views[n] = v.view(e, labelled)
		if p, ok := above[db.OrZero(e.ParentID)]; ok {
			views[n].ParentIID = &p.IID
			views[n].Links.Parent = new(v.address(p.GroupID, p.IID))
		} else {
			views[n].ParentID = nil // the caller does not see it
		}
		if editable[e.NamespaceID] {
			views[n].epicDates = &epicDates{
				e.StartDateIsFixed, e.StartDateFixed, e.StartDateInherited, e.StartDateInherited,
				e.DueDateIsFixed, e.DueDateFixed, e.DueDateInherited, e.DueDateInherited,
			}
		}
	}
	return views, nil
}

// one returns the view of one epic, with whether the caller is subscribed.
func (v epicViews) one(ctx context.Context, s scope.Anyone, e work.Epic) (epicView, error) {
	views, err := v.of(ctx, s, []work.Epic{e})
	if err != nil {
		return epicView{}, err
	}
	subscribed, err := work.IsSubscribed(ctx, s.Store, e.Target(), s.Caller.ID())
	views[0].Subscribed = &subscribed
	return views[0], err
}

// address returns the address of an epic in the API.
func (v epicViews) address(group int64, iid int) string {
	return fmt.Sprintf("%s/api/v4/groups/%d/epics/%d", v.Base, group, iid)
}

func (v epicViews) view(e work.Epic, labels map[int64]work.LabelRef) epicView {
	self := v.address(e.NamespaceID, e.IID)
	short := e.ReferenceFrom(e.Path)
	return epicView{
		ID: e.ID, IID: e.IID, Color: e.Color, TextColor: textColor(e.Color), GroupID: e.NamespaceID,
		ParentID: e.ParentID, Title: e.Title, Description: e.Description, Confidential: e.Confidential,
		Author:    v.Author(e.Author),
		StartDate: e.StartDate, EndDate: e.DueDate, DueDate: e.DueDate, State: e.State,
		WebURL:     v.Web(fmt.Sprintf("groups/%s/-/epics/%d", e.Path, e.IID)),
		References: References{Short: short, Relative: e.ReferenceFrom(v.from), Full: e.ReferenceFrom("")},
		Reference:  short, CreatedAt: e.CreatedAt, UpdatedAt: e.UpdatedAt, ClosedAt: e.ClosedAt,
		Labels: LabelsShown(labels, e.LabelIDs, v.details), Upvotes: e.Upvotes, Downvotes: e.Downvotes,
		Links: epicAddresses{
			Self: self, Issues: self + "/issues", Group: fmt.Sprintf("%s/api/v4/groups/%d", v.Base, e.NamespaceID),
		},
	}
}
