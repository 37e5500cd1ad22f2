package hook

import (
	"context"
	"time"

	"hew/server/code"
	"hew/server/db"
	"hew/server/group"
	"hew/server/people"
	"hew/server/policy"
	"hew/server/tree"
)

// The payloads of events, by kind (gaps §13.6).

// wholeSeconds returns a time in UTC without fractions of a second.
func wholeSeconds(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

// redactedText replaces a value that is not shown.
const redactedText = "[REDACTED]"

// emailOf returns the public address of a user, or redactedText.
func emailOf(public *string) string {
	if public == nil || *public == "" {
		return redactedText
	}
	return *public
}

type groupPayload struct {
	EventName string    `json:"event_name"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	Name      string    `json:"name"`
	Path      string    `json:"path"`
	FullPath  string    `json:"full_path"`
	GroupID   int64     `json:"group_id"`
}

func newGroupPayload(event string, g tree.Group) groupPayload {
	return groupPayload{
		EventName: event, CreatedAt: wholeSeconds(g.CreatedAt), UpdatedAt: wholeSeconds(g.UpdatedAt),
		Name: g.Name, Path: g.Path, FullPath: g.FullPath, GroupID: g.ID,
	}
}

// subgroupPayload is sent with the events subgroup_create and subgroup_destroy.
type subgroupPayload struct {
	groupPayload
	ParentGroupID  int64  `json:"parent_group_id"`
	ParentName     string `json:"parent_name"`
	ParentPath     string `json:"parent_path"`
	ParentFullPath string `json:"parent_full_path"`
}

func newSubgroupPayload(event string, g, parent tree.Group) subgroupPayload {
	return subgroupPayload{
		groupPayload:  newGroupPayload(event, g),
		ParentGroupID: parent.ID, ParentName: parent.Name, ParentPath: parent.Path, ParentFullPath: parent.FullPath,
	}
}

type projectPayload struct {
	EventName         string         `json:"event_name"` // project_create, project_destroy
	CreatedAt         time.Time      `json:"created_at"`
	UpdatedAt         time.Time      `json:"updated_at"`
	Name              string         `json:"name"`
	Path              string         `json:"path"`
	PathWithNamespace string         `json:"path_with_namespace"`
	ProjectID         int64          `json:"project_id"`
	NamespaceID       int64          `json:"project_namespace_id"`
	Owners            []ownerPayload `json:"owners"`
	Visibility        string         `json:"project_visibility"`
}

type ownerPayload struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}

// newProjectPayloads returns the payloads of an event of projects. Their owners include those of
// the groups above.
func newProjectPayloads(
	ctx context.Context, st *db.Store, event string, list ...tree.Project,
) ([]projectPayload, error) {
	owners, err := projectOwners(ctx, st, list)
	payloads := make([]projectPayload, len(list))
	for i, p := range list {
		payloads[i] = projectPayload{
			EventName: event, CreatedAt: wholeSeconds(p.CreatedAt), UpdatedAt: wholeSeconds(p.UpdatedAt),
			Name: p.Name, Path: p.Path, PathWithNamespace: p.FullPath, ProjectID: p.ID, NamespaceID: p.NamespaceID,
			Owners: append([]ownerPayload{}, owners[p.ID]...), Visibility: p.Visibility.String(),
		}
	}
	return payloads, err
}

type memberPayload struct {
	EventName   string     `json:"event_name"` // user_add_to_group, user_update_for_group, user_remove_from_group
	CreatedAt   time.Time  `json:"created_at"`
	UpdatedAt   time.Time  `json:"updated_at"`
	GroupName   string     `json:"group_name"`
	GroupPath   string     `json:"group_path"`
	GroupID     int64      `json:"group_id"`
	Username    string     `json:"user_username"`
	UserName    string     `json:"user_name"`
	UserEmail   string     `json:"user_email"`
	UserID      int64      `json:"user_id"`
	GroupAccess string     `json:"group_access"` // in words
	GroupPlan   *string    `json:"group_plan"`   // there are no plans: null
	ExpiresAt   *time.Time `json:"expires_at"`
}

func newMemberPayload(event string, m group.Member, g tree.Group) memberPayload {
	p := memberPayload{
		EventName: event, CreatedAt: wholeSeconds(m.CreatedAt), UpdatedAt: wholeSeconds(m.UpdatedAt),
		GroupName: g.Name, GroupPath: g.Path, GroupID: g.ID,
		Username: m.Username, UserName: m.Name, UserEmail: emailOf(m.PublicEmail), UserID: m.UserID,
		GroupAccess: policy.Roles[policy.Level(m.AccessLevel)],
	}
	if m.ExpiresAt != nil {
		p.ExpiresAt = &m.ExpiresAt.Time
	}
	return p
}

// pushPayload is a push to a branch or tag; the project and its repository are shown beside it.
type pushPayload struct {
	ObjectKind   string           `json:"object_kind"` // push, tag_push
	EventName    string           `json:"event_name"`  // the same
	Before       string           `json:"before"`
	After        string           `json:"after"`
	Ref          string           `json:"ref"`
	RefProtected bool             `json:"ref_protected"`
	CheckoutSHA  *string          `json:"checkout_sha"`
	Message      *string          `json:"message"`
	UserID       int64            `json:"user_id"`
	UserName     string           `json:"user_name"`
	Username     string           `json:"user_username"`
	UserEmail    string           `json:"user_email"`
	UserAvatar   *string          `json:"user_avatar"`
	ProjectID    int64            `json:"project_id"`
	Commits      []commitPayload  `json:"commits"`
	CommitsCount int              `json:"total_commits_count"`
	PushOptions  code.PushOptions `json:"push_options"`
}

// updatePayload is a push as a whole, for system hooks (more-2 §8.5); the project is shown beside
// it.
type updatePayload struct {
	EventName  string       `json:"event_name"` // repository_update
	UserID     int64        `json:"user_id"`
	UserName   string       `json:"user_name"`
	UserEmail  string       `json:"user_email"`
	UserAvatar *string      `json:"user_avatar"`
	ProjectID  int64        `json:"project_id"`
	Changes    []refPayload `json:"changes"`
	Refs       []string     `json:"refs"`
}

type refPayload struct {
	Before string `json:"before"`
	After  string `json:"after"`
	Ref    string `json:"ref"`
}

type commitPayload struct {
	ID        string       `json:"id"`
	Message   string       `json:"message"`
	Title     string       `json:"title"`
	Timestamp time.Time    `json:"timestamp"`
	URL       string       `json:"url"`
	Author    ownerPayload `json:"author"`
	Added     []string     `json:"added"`
	Modified  []string     `json:"modified"`
	Removed   []string     `json:"removed"`
}

// tokenPayload is an access token of a group or project that expires soon; a project is shown
// beside it.
type tokenPayload struct {
	ObjectKind string          `json:"object_kind"` // access_token
	EventName  string          `json:"event_name"`  // expiring_access_token
	Group      *tokenGroup     `json:"group,omitempty"`
	Attributes tokenAttributes `json:"object_attributes"`
}

type tokenGroup struct {
	Name     string `json:"group_name"`
	Path     string `json:"group_path"`
	FullPath string `json:"full_path"`
	ID       int64  `json:"group_id"`
}

func newTokenPayload(t people.Token, g *tokenGroup) tokenPayload {
	return tokenPayload{
		ObjectKind: "access_token", EventName: "expiring_access_token", Group: g,
		Attributes: tokenAttributes{
			UserID: t.UserID, CreatedAt: wholeSeconds(t.CreatedAt), ID: t.ID, Name: t.Name, ExpiresAt: t.ExpiresAt,
		},
	}
}

type tokenAttributes struct {
	UserID    int64     `json:"user_id"`
	CreatedAt time.Time `json:"created_at"`
	ID        int64     `json:"id"`
	Name      string    `json:"name"`
	ExpiresAt *db.Date  `json:"expires_at"`
}
