package store

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/fault"
)

// ProjectHook is a webhook of a project. What it must keep to itself (a password in the url, the token, the values of
// variables and headers) is sealed: use SetHookURL, SetHookToken and HookVariable, and HookURL, HookToken and HookValue to
// read.
type ProjectHook struct {
	ID          int64  `db:"id,auto" json:"id"`
	ProjectID   int64  `db:"project_id" json:"project_id"`
	URL         string `db:"url" json:"url"` // as it is shown: with a mask for the password
	SealedURL   []byte `db:"sealed_url" json:"-"`
	Name        string `db:"name" json:"name"`
	Description string `db:"description" json:"description"`
	Token       []byte `db:"token" json:"-"`
	HookFlags[bool]
	PushEventsBranchFilter string        `db:"push_events_branch_filter" json:"push_events_branch_filter"`
	BranchFilterStrategy   string        `db:"branch_filter_strategy" json:"branch_filter_strategy"`
	CustomWebhookTemplate  string        `db:"custom_webhook_template" json:"custom_webhook_template"`
	URLVariables           HookVariables `db:"url_variables" json:"url_variables"`
	CustomHeaders          HookVariables `db:"custom_headers" json:"custom_headers"`
	AlertStatus            string        `db:"alert_status,auto" json:"alert_status"`
	DisabledUntil          *time.Time    `db:"disabled_until,auto" json:"disabled_until"`
	CreatedAt              time.Time     `db:"created_at,auto" json:"created_at"`
	UpdatedAt              time.Time     `db:"updated_at,auto" json:"-"`
}

// HookFlags are the events a hook is sent, and whether its certificate is checked (gaps §3.3, §4.4): the only list of them.
// F is how a flag is told: a bool in a row, which is what the API shows; an optional one among the parameters.
type HookFlags[F any] struct {
	PushEvents                F `db:"push_events" json:"push_events" param:"push_events"`
	TagPushEvents             F `db:"tag_push_events" json:"tag_push_events" param:"tag_push_events"`
	IssuesEvents              F `db:"issues_events" json:"issues_events" param:"issues_events"`
	ConfidentialIssuesEvents  F `db:"confidential_issues_events" json:"confidential_issues_events" param:"confidential_issues_events"`
	MergeRequestsEvents       F `db:"merge_requests_events" json:"merge_requests_events" param:"merge_requests_events"`
	NoteEvents                F `db:"note_events" json:"note_events" param:"note_events"`
	ConfidentialNoteEvents    F `db:"confidential_note_events" json:"confidential_note_events" param:"confidential_note_events"`
	JobEvents                 F `db:"job_events" json:"job_events" param:"job_events"`
	PipelineEvents            F `db:"pipeline_events" json:"pipeline_events" param:"pipeline_events"`
	WikiPageEvents            F `db:"wiki_page_events" json:"wiki_page_events" param:"wiki_page_events"`
	DeploymentEvents          F `db:"deployment_events" json:"deployment_events" param:"deployment_events"`
	FeatureFlagEvents         F `db:"feature_flag_events" json:"feature_flag_events" param:"feature_flag_events"`
	ReleasesEvents            F `db:"releases_events" json:"releases_events" param:"releases_events"`
	MilestoneEvents           F `db:"milestone_events" json:"milestone_events" param:"milestone_events"`
	EmojiEvents               F `db:"emoji_events" json:"emoji_events" param:"emoji_events"`
	ResourceAccessTokenEvents F `db:"resource_access_token_events" json:"resource_access_token_events" param:"resource_access_token_events"`
	VulnerabilityEvents       F `db:"vulnerability_events" json:"vulnerability_events" param:"vulnerability_events"`
	RepositoryUpdateEvents    F `db:"repository_update_events" json:"repository_update_events" param:"repository_update_events"`
	EnableSSLVerification     F `db:"enable_ssl_verification" json:"enable_ssl_verification" param:"enable_ssl_verification"`
}

// NewHookFlags are the defaults of the public service (gaps §3.3).
func NewHookFlags() HookFlags[bool] {
	return HookFlags[bool]{PushEvents: true, EnableSSLVerification: true}
}

// HookVariable is a URL variable or a custom header of a hook. Only the key has a JSON form.
type HookVariable struct {
	Key    string `json:"key"`
	Sealed []byte `json:"-"`
}

// HookVariables is a column of variables; unlike the JSON of the API, it holds the sealed values too.
type HookVariables []HookVariable

// Set adds a variable, or puts it in the place of the one with that key.
func (v *HookVariables) Set(one HookVariable) {
	i := slices.IndexFunc(*v, func(old HookVariable) bool { return old.Key == one.Key })
	if i < 0 {
		*v = append(*v, one)
		return
	}
	(*v)[i] = one
}

// Delete removes the variable with that key, and says whether there was one.
func (v *HookVariables) Delete(key string) bool {
	before := len(*v)
	*v = slices.DeleteFunc(*v, func(one HookVariable) bool { return one.Key == key })
	return len(*v) < before
}

type storedVariable struct {
	Key   string `json:"key"`
	Value []byte `json:"value"`
}

// Value is the column.
func (v HookVariables) Value() (driver.Value, error) {
	list := make([]storedVariable, len(v))
	for i, one := range v {
		list[i] = storedVariable{one.Key, one.Sealed}
	}
	text, err := json.Marshal(list)
	return string(text), err
}

// Scan reads the column.
func (v *HookVariables) Scan(column any) error {
	text, ok := column.([]byte)
	if !ok {
		return fmt.Errorf("hook variables: a column of type %T", column)
	}
	var list []storedVariable
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	*v = make(HookVariables, len(list))
	for i, one := range list {
		(*v)[i] = HookVariable{one.Key, one.Value}
	}
	return nil
}

// Where the secrets of a hook are, for their seals.
const (
	hookURL    = "project_hooks.sealed_url"
	hookToken  = "project_hooks.token"
	hookValues = "project_hooks.values"
)

// NewProjectHook is a hook with the defaults of the public service (gaps §3.3). It has its id already, because secrets
// are sealed for the row they belong to.
func (s *Store) NewProjectHook(ctx context.Context, projectID int64) (ProjectHook, error) {
	id, err := s.nextID(ctx, "project_hooks")
	return ProjectHook{
		ID: id, ProjectID: projectID, HookFlags: NewHookFlags(),
		BranchFilterStrategy: "wildcard", URLVariables: HookVariables{}, CustomHeaders: HookVariables{},
	}, err
}

// SetHookURL gives the hook its address, and seals it if there is a password in it.
func (s *Store) SetHookURL(h *ProjectHook, url string) {
	shown, secret := MaskURL(url)
	h.URL, h.SealedURL = shown, nil
	if secret {
		h.SealedURL = s.seal.Seal(hookURL, h.ID, []byte(url))
	}
}

// HookURL is the address with its password, for deliveries only.
func (s *Store) HookURL(h ProjectHook) (string, error) {
	if h.SealedURL == nil {
		return h.URL, nil
	}
	url, err := s.seal.Open(hookURL, h.ID, h.SealedURL)
	return string(url), err
}

// mask stands for a password, however long that is.
const mask = "*****"

var variableOnly = regexp.MustCompile(`^\{[^{}]*\}$`)

// MaskURL is an address as it may be shown: https://user:*****@host/. Without a password the name is the secret. A variable
// is none: its value is kept elsewhere.
func MaskURL(url string) (shown string, secret bool) {
	scheme, rest, _ := strings.Cut(url, "://")
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	at := strings.LastIndexByte(rest[:end], '@')
	if at < 0 {
		return url, false
	}
	name, password, _ := strings.Cut(rest[:at], ":")
	head := scheme + "://"
	if password == "" {
		password = name
	} else {
		head += name + ":"
	}
	if password == "" || variableOnly.MatchString(password) {
		return url, false
	}
	return head + mask + rest[at:], true
}

// SetHookToken seals the token into the hook; an empty one removes it.
func (s *Store) SetHookToken(h *ProjectHook, token string) {
	h.Token = nil
	if token != "" {
		h.Token = s.seal.Seal(hookToken, h.ID, []byte(token))
	}
}

// HookToken is the token in clear, for deliveries only; empty if there is none.
func (s *Store) HookToken(h ProjectHook) (string, error) {
	if h.Token == nil {
		return "", nil
	}
	token, err := s.seal.Open(hookToken, h.ID, h.Token)
	return string(token), err
}

// HookVariable makes a variable or header of the hook, sealed.
func (s *Store) HookVariable(h ProjectHook, key, value string) HookVariable {
	return HookVariable{Key: key, Sealed: s.seal.Seal(hookValues+"."+key, h.ID, []byte(value))}
}

// HookValue is the value of a variable or header in clear, for deliveries only.
func (s *Store) HookValue(h ProjectHook, v HookVariable) (string, error) {
	text, err := s.seal.Open(hookValues+"."+v.Key, h.ID, v.Sealed)
	return string(text), err
}

// ProjectHooks lists the hooks of a project by id.
func (s *Store) ProjectHooks(ctx context.Context, projectID int64, p Page) ([]ProjectHook, int, error) {
	w := among(nil)
	w.and(true, `h.project_id = @project`, projectID)
	return page[ProjectHook](ctx, s, p, order{}, "h.id", `select h.* from project_hooks h`, w)
}

// ProjectHook is one hook of the project.
func (s *Store) ProjectHook(ctx context.Context, projectID, id int64) (ProjectHook, error) {
	return one[ProjectHook](ctx, s, "", `select h.* from project_hooks h where h.project_id = @project and h.id = @id`,
		pgx.NamedArgs{"project": projectID, "id": id})
}

// HoldProjectHook is one hook of the project, which nobody else changes before the commit.
func (s *Store) HoldProjectHook(ctx context.Context, projectID, id int64) (ProjectHook, error) {
	return one[ProjectHook](ctx, s, "", `select h.* from project_hooks h where h.project_id = @project and h.id = @id for no key update`,
		pgx.NamedArgs{"project": projectID, "id": id})
}

// CreateProjectHook stores a hook made by NewProjectHook and returns the row.
func (s *Store) CreateProjectHook(ctx context.Context, h ProjectHook) (ProjectHook, error) {
	if _, err := s.insert(ctx, "project_hooks", h); err != nil {
		return h, err
	}
	return s.ProjectHook(ctx, h.ProjectID, h.ID)
}

// UpdateProjectHook stores all that the row says and returns it.
func (s *Store) UpdateProjectHook(ctx context.Context, h ProjectHook) (ProjectHook, error) {
	if err := s.update(ctx, "project_hooks", h); err != nil {
		return h, err
	}
	return s.ProjectHook(ctx, h.ProjectID, h.ID)
}

// DeleteProjectHook removes a hook of the project.
func (s *Store) DeleteProjectHook(ctx context.Context, projectID, id int64) error {
	n, err := s.affected(ctx, `delete from project_hooks where project_id = @project and id = @id`,
		pgx.NamedArgs{"project": projectID, "id": id})
	if err == nil && n == 0 {
		return fault.NotFound("")
	}
	return err
}
