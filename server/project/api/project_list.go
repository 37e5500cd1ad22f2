package api

import (
	"context"
	"strconv"
	"strings"
	"time"

	"hew/server/db"
	"hew/server/policy"
	"hew/server/project"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
)

// projectList are the parameters that all lists of projects take (gaps §4.2, spec 2 §4.5).
type projectList struct {
	rest.Keyset `of:"Project"`
	projectExtras
	Archived          *bool             `param:"archived"`
	Active            *bool             `param:"active"`
	Visibility        string            `param:"visibility" oneof:"private internal public"`
	Search            string            `param:"search"`
	SearchNamespaces  bool              `param:"search_namespaces"`
	Owned             bool              `param:"owned"`
	Starred           bool              `param:"starred"`
	Membership        bool              `param:"membership"`
	Imported          bool              `param:"imported"`
	MinAccessLevel    int               `param:"min_access_level" oneof:"5 10 15 20 30 40 50"`
	WithIssues        bool              `param:"with_issues_enabled"`
	WithRequests      bool              `param:"with_merge_requests_enabled"`
	WithLanguage      string            `param:"with_programming_language"`
	Topic             []string          `param:"topic,comma"`
	TopicID           int64             `param:"topic_id"`
	IDAfter           int64             `param:"id_after"`
	IDBefore          int64             `param:"id_before"`
	ActivityAfter     *time.Time        `param:"last_activity_after"`
	ActivityBefore    *time.Time        `param:"last_activity_before"`
	UpdatedAfter      *time.Time        `param:"updated_after"`
	UpdatedBefore     *time.Time        `param:"updated_before"`
	MarkedOn          time.Time         `param:"marked_for_deletion_on,date"`
	RepositoryStorage string            `param:"repository_storage"` // administrators
	CustomAttributes  map[string]string `param:"custom_attributes"`  // administrators
	// administrators; what waits for its removal is listed anyway
	IncludePending bool   `param:"include_pending_delete"`
	IncludeHidden  bool   `param:"include_hidden"` // administrators; nothing is hidden here
	OrderBy        string `param:"order_by" default:"created_at" oneof:"id name path created_at updated_at last_activity_at similarity star_count storage_size repository_size packages_size wiki_size"`
	Sort           string `param:"sort" default:"desc" oneof:"asc desc"`
}

// filter is what the caller may ask for: the parameters of administrators are ignored in other
// hands.
func (in projectList) filter(s scope.Anyone) project.ProjectFilter {
	f := project.ProjectFilter{UserID: s.Caller.ID(), Open: scope.OpenTo(s.Caller)}
	f.Archived, f.Active, f.Search, f.SearchNamespaces = in.Archived, in.Active, in.Search, in.SearchNamespaces
	f.WithIssues, f.WithRequests, f.Topics = in.WithIssues, in.WithRequests, in.Topic
	f.IDAfter, f.IDBefore, f.MarkedOn = in.IDAfter, in.IDBefore, db.DateOf(in.MarkedOn)
	f.TopicID = in.TopicID
	f.ActiveAfter, f.ActiveBefore = in.ActivityAfter, in.ActivityBefore
	f.UpdatedAfter, f.UpdatedBefore = in.UpdatedAfter, in.UpdatedBefore
	if in.Visibility != "" {
		v := db.ParseVisibility(in.Visibility)
		f.Visibility = &v
	}
	if in.Membership || in.MinAccessLevel > 0 {
		// Minimal access to a group is none to its projects.
		f.MinLevel = max(in.MinAccessLevel, int(policy.Guest))
	}
	if in.Owned {
		f.MinLevel = int(policy.Owner)
	}
	if in.Starred {
		f.StarredBy = s.Caller.ID()
	}
	// There are no repositories, so nothing has a language or was imported.
	f.None = in.WithLanguage != "" || in.Imported || in.Starred && !s.Caller.Signed()
	if s.Caller.Admin() {
		f.Storage, f.Attributes = in.RepositoryStorage, in.CustomAttributes
	}
	return f
}

// page is the part of the list. The orders by size are the administrators', and similarity is to
// something.
func (in projectList) page(admin bool) (db.Page, error) {
	p := db.Page{Limit: in.Limit(), Offset: in.Offset(), ByKey: in.ByKey(), Order: in.OrderBy, Desc: in.Sort == "desc"}
	if strings.HasSuffix(p.Order, "_size") && !admin || p.Order == "similarity" && in.Search == "" {
		p.Order = "created_at"
	}
	if p.ByKey && p.Order != "id" {
		return p, rest.NoKeyset()
	}
	return p, nil
}

// listFiltered lists the projects that match a filter.
func (a projects) listFiltered(
	ctx context.Context, s scope.Anyone, in projectList, f project.ProjectFilter,
) (rest.List[projectView], error) {
	page, err := in.page(s.Caller.Admin())
	if err != nil {
		return rest.List[projectView]{}, err
	}
	projects, total, err := project.Projects(ctx, s.Store, f, page)
	if err != nil {
		return rest.List[projectView]{}, err
	}
	views, err := projectViewsOf(ctx, a.Site, s, projects, in.projectExtras)
	list, err := rest.Page(views, total, err)
	if err != nil {
		return list, err
	}
	list.Next = rest.After(in.Keyset, projects, func(p tree.Project) map[string]string {
		after := map[bool]string{false: "id_after", true: "id_before"}[page.Desc]
		return map[string]string{after: strconv.FormatInt(p.ID, 10)}
	})
	return list, nil
}

func (a projects) list(ctx context.Context, s scope.Anyone, in projectList) (rest.List[projectView], error) {
	return a.listFiltered(ctx, s, in, in.filter(s))
}

type projectListInGroup struct {
	projectList
	WithShared          bool `param:"with_shared" default:"true"`
	IncludeSubgroups    bool `param:"include_subgroups"`
	WithSecurityReports bool `param:"with_security_reports"`
}

func (a projects) listInGroup(
	ctx context.Context, s scope.InGroup, in projectListInGroup,
) (rest.List[projectView], error) {
	f := in.filter(s.Anyone)
	f.NamespaceID, f.Deep = s.Group.ID, in.IncludeSubgroups
	if in.WithShared && s.Group.Guest { // keeps the condition of other lists simple
		f.GuestID = s.Group.ID
	}
	if s.Group.Level >= max(f.MinLevel, db.Guest) && f.GuestID == 0 {
		f.Open, f.MinLevel = db.Private, 0 // a member of them all has this level in all, with no query to say so
	}
	f.None = f.None || in.WithSecurityReports // reports come from jobs
	return a.listFiltered(ctx, s.Anyone, in.projectList, f)
}

type projectListOfUser struct {
	UserID string `param:"user_id"`
	projectList
}

// listOfUser lists the projects in a user's personal namespace.
func (a projects) listOfUser(
	ctx context.Context, s scope.Anyone, in projectListOfUser,
) (rest.List[projectView], error) {
	u, err := tree.UserByRef(ctx, s.Store, in.UserID)
	if err != nil {
		return rest.List[projectView]{}, err
	}
	f := in.filter(s)
	f.NamespaceID = u.NamespaceID
	return a.listFiltered(ctx, s, in.projectList, f)
}

// listStarred lists the projects that a user has starred; it is empty for a private profile.
func (a projects) listStarred(
	ctx context.Context, s scope.Anyone, in projectListOfUser,
) (rest.List[projectView], error) {
	u, err := tree.UserByRef(ctx, s.Store, in.UserID)
	if err != nil {
		return rest.List[projectView]{}, err
	}
	f := in.filter(s)
	f.StarredBy = u.ID
	f.None = f.None || u.PrivateProfile && u.ID != s.Caller.ID() && !s.Caller.Admin()
	return a.listFiltered(ctx, s, in.projectList, f)
}

// listShared lists the projects that the group is invited into.
func (a projects) listShared(ctx context.Context, g scope.InGroup, in projectList) (rest.List[projectView], error) {
	f := in.filter(g.Anyone)
	f.GuestID = g.Group.ID
	return a.listFiltered(ctx, g.Anyone, in, f)
}
