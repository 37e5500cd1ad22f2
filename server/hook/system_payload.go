package hook

import (
	"context"
	"time"

	"hew/server/db"
	"hew/server/group"
	"hew/server/people"
	"hew/server/policy"
	"hew/server/tree"
)

// The payloads of system hooks (more-2 §8.5), besides those that hooks of groups get, too.

// systemProjectPayload is a project with its first owner.
type systemProjectPayload struct {
	projectPayload
	OwnerName  string `json:"owner_name"`
	OwnerEmail string `json:"owner_email"`
	OldPath    string `json:"old_path_with_namespace,omitempty"` // of project_rename and project_transfer
}

// newSystemProjects returns the payloads of an event of projects; was is their path before, if the
// event tells of it.
func newSystemProjects(
	ctx context.Context, st *db.Store, event, was string, list ...tree.Project,
) (payloads []any, err error) {
	projects, err := newProjectPayloads(ctx, st, event, list...)
	for _, p := range projects {
		s := systemProjectPayload{projectPayload: p, OldPath: was}
		if len(p.Owners) > 0 {
			s.OwnerName, s.OwnerEmail = p.Owners[0].Name, p.Owners[0].Email
		}
		payloads = append(payloads, s)
	}
	return payloads, err
}

type groupRenamePayload struct {
	groupPayload
	OldPath     string `json:"old_path"`
	OldFullPath string `json:"old_full_path"`
}

// teamPayload is a member of a project.
type teamPayload struct {
	EventName   string    `json:"event_name"`
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
	ProjectID   int64     `json:"project_id"`
	ProjectName string    `json:"project_name"`
	ProjectPath string    `json:"project_path"`
	FullPath    string    `json:"project_path_with_namespace"`
	Visibility  string    `json:"project_visibility"`
	UserID      int64     `json:"user_id"`
	UserName    string    `json:"user_name"`
	Username    string    `json:"user_username"`
	UserEmail   string    `json:"user_email"`
	AccessLevel string    `json:"access_level"` // in words
}

func newTeamPayload(event string, m group.Member, p tree.Project) teamPayload {
	return teamPayload{
		EventName: event, CreatedAt: wholeSeconds(m.CreatedAt), UpdatedAt: wholeSeconds(m.UpdatedAt),
		ProjectID: p.ID, ProjectName: p.Name, ProjectPath: p.Path, FullPath: p.FullPath,
		Visibility: p.Visibility.String(), UserID: m.UserID, UserName: m.Name, Username: m.Username,
		UserEmail: emailOf(m.PublicEmail), AccessLevel: policy.Roles[policy.Level(m.AccessLevel)],
	}
}

type userPayload struct {
	EventName string    `json:"event_name"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	UserID    int64     `json:"user_id"`
	Name      string    `json:"name"`
	Username  string    `json:"username"`
	Email     string    `json:"email"`
}

func newUserPayload(event string, u tree.User) userPayload {
	return userPayload{
		EventName: event, CreatedAt: wholeSeconds(u.CreatedAt), UpdatedAt: wholeSeconds(u.UpdatedAt),
		UserID: u.ID, Name: u.Name, Username: u.Username, Email: emailOf(u.PublicEmail),
	}
}

type userRenamePayload struct {
	userPayload
	OldUsername string `json:"old_username"`
}

type keyPayload struct {
	EventName string    `json:"event_name"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"` // keys do not change: the time of creation
	ID        int64     `json:"id"`
	Key       string    `json:"key"`
	Username  string    `json:"username"`
}

func newKeyPayload(event string, k people.SSHKey, owner tree.User) keyPayload {
	created := wholeSeconds(k.CreatedAt)
	return keyPayload{
		EventName: event, CreatedAt: created, UpdatedAt: created, ID: k.ID, Key: k.Key, Username: owner.Username,
	}
}
