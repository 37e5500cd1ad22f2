package api

import (
	"context"
	"strconv"
	"time"

	"hew/server/ci"
	"hew/server/db"
	"hew/server/view"
)

// runnerView is a runner in a list (spec 3 §2.5). Its token is not shown.
type runnerView struct {
	ID          int64   `json:"id"`
	Description string  `json:"description"`
	IPAddress   string  `json:"ip_address"`
	Active      bool    `json:"active"` // the older word for not paused
	Paused      bool    `json:"paused"`
	IsShared    bool    `json:"is_shared"`
	RunnerType  string  `json:"runner_type"`
	Name        *string `json:"name"`
	Online      bool    `json:"online"`
	Status      string  `json:"status"`
}

func runnerViewOf(r ci.Runner) runnerView {
	return runnerView{
		ID: r.ID, Description: r.Description, Active: !r.Paused, Paused: r.Paused,
		IsShared:   r.Type == ci.InstanceRunner,
		RunnerType: r.Type, Name: r.Name, Online: r.Status == "online", Status: r.Status,
		IPAddress: db.OrZero(r.IPAddress),
	}
}

// runnerDetail is a runner by itself.
type runnerDetail struct {
	runnerView
	ci.RunnerInfo
	ContactedAt        *time.Time       `json:"contacted_at"`
	MaintenanceNote    *string          `json:"maintenance_note"`
	TagList            []string         `json:"tag_list"`
	RunUntagged        bool             `json:"run_untagged"`
	Locked             bool             `json:"locked"`
	AccessLevel        string           `json:"access_level"`
	MaximumTimeout     *int             `json:"maximum_timeout"`
	CreatedAt          time.Time        `json:"created_at"`
	CreatedBy          *view.BasicUser  `json:"created_by"`
	JobExecutionStatus string           `json:"job_execution_status"`
	Projects           *[]runnerProject `json:"projects,omitempty"`
	Groups             []runnerGroup    `json:"groups"`
}

type runnerProject struct {
	ID                int64  `json:"id"`
	Name              string `json:"name"`
	NameWithNamespace string `json:"name_with_namespace"`
	Path              string `json:"path"`
	PathWithNamespace string `json:"path_with_namespace"`
}

type runnerGroup struct {
	ID     int64  `json:"id"`
	WebURL string `json:"web_url"`
	Name   string `json:"name"`
}

// idle is the state of a runner that runs no job.
const idle = "idle"

// executionStatus says whether a runner or a manager runs a job.
func executionStatus(busy bool) string {
	if busy {
		return "active"
	}
	return idle
}

func idText(id int64) string { return strconv.FormatInt(id, 10) }

// runnerDetailOf returns the view of a runner, without its projects.
func runnerDetailOf(a *view.Site, r ci.FoundRunner) runnerDetail {
	v := runnerDetail{
		runnerView: runnerViewOf(r.Runner), RunnerInfo: r.RunnerInfo, ContactedAt: r.ContactedAt,
		MaintenanceNote: r.MaintenanceNote, TagList: r.Tags, RunUntagged: r.RunUntagged, Locked: r.Locked,
		AccessLevel: r.AccessLevel, MaximumTimeout: r.MaximumTimeout, CreatedAt: r.CreatedAt,
		CreatedBy:          a.Author(r.CreatedBy),
		JobExecutionStatus: idle, Groups: []runnerGroup{},
	}
	if r.NamespaceID != nil {
		v.Groups = append(v.Groups, runnerGroup{*r.NamespaceID, a.Web("groups/" + r.GroupPath), r.GroupName})
	}
	return v
}

// withProjects returns the view with the projects that the runner is assigned to and that the
// caller is a member of.
func (v runnerDetail) withProjects(ctx context.Context, s runnerScope) (runnerDetail, error) {
	list, err := ci.RunnerProjects(ctx, s.Store, s.Runner.ID, s.Viewer())
	shown := make([]runnerProject, len(list))
	for i, p := range list {
		shown[i] = runnerProject{p.ID, p.Name, p.NamespaceFullName + " / " + p.Name, p.Path, p.FullPath}
	}
	v.Projects = &shown
	return v, err
}

// runnerTokenView shows an authentication token or a registration token.
type runnerTokenView struct {
	ID             int64      `json:"id,omitempty"`
	Token          string     `json:"token"`
	TokenExpiresAt *time.Time `json:"token_expires_at"`
}

func newRunnerViewOf(r ci.RunnerWithToken) runnerTokenView {
	return runnerTokenView{r.ID, r.Token, r.TokenExpiresAt}
}

// resetRunnerViewOf leaves the id out, as the public API does.
func resetRunnerViewOf(r ci.RunnerWithToken) runnerTokenView {
	return runnerTokenView{Token: r.Token, TokenExpiresAt: r.TokenExpiresAt}
}

func registrationViewOf(token string) runnerTokenView { return runnerTokenView{Token: token} }

// managerView is a manager of a runner.
type managerView struct {
	ci.RunnerManager
	JobExecutionStatus string `json:"job_execution_status"`
}
