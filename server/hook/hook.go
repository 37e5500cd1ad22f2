package hook

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// Hook is an address to which events of a group or project, or of the instance, are sent. Its
// secrets (a password in the URL, the token, the values of variables and headers) are sealed:
// Secrets writes them; PlainURL, PlainToken and PlainValue read them.
type Hook struct {
	ID int64 `db:"id,auto" json:"id"`
	db.Container
	URL         string `db:"url" json:"url"` // the password is masked
	SealedURL   []byte `db:"sealed_url" json:"-"`
	Name        string `db:"name" json:"name"`
	Description string `db:"description" json:"description"`
	Token       []byte `db:"token" json:"-"`
	Flags[bool]
	GroupFlags[bool]       `json:"-"`
	PushEventsBranchFilter string     `db:"push_events_branch_filter" json:"push_events_branch_filter"`
	BranchFilterStrategy   string     `db:"branch_filter_strategy" json:"branch_filter_strategy"`
	CustomWebhookTemplate  string     `db:"custom_webhook_template" json:"custom_webhook_template"`
	URLVariables           Variables  `db:"url_variables" json:"url_variables"`
	CustomHeaders          Variables  `db:"custom_headers" json:"custom_headers"`
	AlertStatus            string     `db:"alert_status,auto" json:"alert_status"` // by the next two
	DisabledUntil          *time.Time `db:"disabled_until,auto" json:"disabled_until"`
	Failures               int        `db:"failures,auto" json:"-"` // consecutive failed deliveries
	UUID                   string     `db:"uuid,auto" json:"-"`     // identifies the hook to its receiver
	CreatedAt              time.Time  `db:"created_at,auto" json:"created_at"`
	UpdatedAt              time.Time  `db:"updated_at,auto" json:"-"`
}

// Flags holds the events that are sent to a hook, and whether its certificate is verified (gaps
// §3.3, §4.4). F is a bool in rows and answers, and an optional one in parameters.
type Flags[F any] struct {
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

// GroupFlags holds the flags that only hooks of groups have (gaps §3.3, spec 2 §4.5).
type GroupFlags[F any] struct {
	SubgroupEvents                        F `db:"subgroup_events" json:"subgroup_events" param:"subgroup_events"`
	MemberEvents                          F `db:"member_events" json:"member_events" param:"member_events"`
	ProjectEvents                         F `db:"project_events" json:"project_events" param:"project_events"`
	ServiceAccessTokensExpirationEnforced F `db:"service_access_tokens_expiration_enforced" json:"service_access_tokens_expiration_enforced" param:"service_access_tokens_expiration_enforced"`
}

// NewFlags returns the defaults of the public service for hooks of a container (gaps §3.3, more-2
// §8.5).
func NewFlags(c db.Container) Flags[bool] {
	if isInstance(c) {
		return Flags[bool]{RepositoryUpdateEvents: true, EnableSSLVerification: true}
	}
	return Flags[bool]{PushEvents: true, EnableSSLVerification: true}
}

// isInstance reports whether hooks of a container are system hooks: those of the instance. They
// neither pause after failures nor count among the calls per minute, as on the public service.
func isInstance(c db.Container) bool { return c == db.Container{} }

// ofInstance is the SQL condition that a hook t is a system hook.
const ofInstance = `t.namespace_id is null and t.project_id is null`

// executable is the SQL condition that a hook t is neither paused nor disabled.
const executable = `t.failures < 40 and (t.disabled_until is null or t.disabled_until <= now())`

const selectHooks = `
	select t.*, case when t.failures >= 40 then 'disabled'
		when ` + executable + ` then 'executable' else 'temporarily_disabled' end
	            as alert_status
	from hooks t`

// NewHook returns a hook with the defaults of the public service (gaps §3.3). It has an id, because
// secrets are sealed for their row.
func NewHook(ctx context.Context, s *db.Store, c db.Container) (Hook, error) {
	id, err := s.NextID(ctx, "hooks")
	return Hook{
		ID: id, Container: c, Flags: NewFlags(c),
		BranchFilterStrategy: "wildcard", URLVariables: Variables{}, CustomHeaders: Variables{},
	}, err
}

// Hooks returns the hooks of a group, a project or the instance. New ones come from NewHook.
func Hooks(s *db.Store, c db.Container) db.Held[Hook] {
	hooks := db.NewHeld[Hook](s, c, "hooks")
	hooks.Select, hooks.Instance = selectHooks, true
	return hooks
}

// FindHook returns the hook with the id, whatever it belongs to, or a not-found fault.
func FindHook(ctx context.Context, s *db.Store, id int64) (Hook, error) {
	return db.One[Hook](ctx, s, "", selectHooks+` where t.id = @id`, pgx.NamedArgs{"id": id})
}

// maxChain limits the deliveries of one chain.
const maxChain = 100

// audienceOf returns the hooks to which events of a kind are sent, except those that the chain
// has already reached: two hooks that cause each other would never stop.
func audienceOf(ctx context.Context, s *db.Store, flag string, a audience) ([]Hook, error) {
	e, ok := eventOf(flag)
	if !ok {
		return nil, fmt.Errorf("hooks have no flag %q", flag)
	}
	w := db.NewWhere(pgx.NamedArgs{"project": a.project, "most": maxChain})
	if e.only == instanceOnly {
		w.And(ofInstance)
		w.AndIf(e.wanted != "", `t.`+e.wanted)
	} else {
		w.And(`t.namespace_id = any(array(select unnest(traversal_ids) from namespaces where id = any(@groups)
				or id = (select p.namespace_id from projects p where p.id = @project)))
			or t.project_id = @project`,
			a.groups)
		w.And(`t.` + flag)
	}
	w.And(executable)
	w.AndIf(a.chain != "", `not exists (select from hook_logs l where l.event_uuid = @chain
		and l.hook_id = t.id)`, a.chain)
	w.AndIf(a.chain != "", `(select count(*) from hook_logs l where l.event_uuid = @chain) < @most`)
	return db.Many[Hook](ctx, s, selectHooks+w.String()+` order by t.id`, w.Args)
}

// newestProject returns the project itself, or the newest one in a group and below it.
func newestProject(ctx context.Context, s *db.Store, c db.Container) (tree.Project, error) {
	w := db.NewWhere(nil)
	w.AndIf(c.ProjectID != nil, `p.id = @project`, c.ProjectID)
	w.AndIf(c.NamespaceID != nil, `n.traversal_ids @> array[@namespace::bigint]`, c.NamespaceID)
	return db.One[tree.Project](ctx, s, "Project", tree.SelectProjects+w.String()+` order by p.id desc limit 1`, w.Args)
}
