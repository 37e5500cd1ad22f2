package archive

import (
	"encoding/json"
	"time"
)

// Pipeline is a pipeline with its stages and jobs, without traces and artifacts.
type Pipeline struct {
	IID            *int64     `json:"iid"`
	Ref            *string    `json:"ref"`
	SHA            string     `json:"sha"`
	BeforeSHA      *string    `json:"before_sha"`
	SourceSHA      *string    `json:"source_sha"`
	TargetSHA      *string    `json:"target_sha"`
	Tag            bool       `json:"tag"`
	Status         Word       `json:"status"`
	Source         *Word      `json:"source"`
	ConfigSource   *Word      `json:"config_source"`
	FailureReason  *Word      `json:"failure_reason"`
	Protected      *bool      `json:"protected"`
	YAMLErrors     *string    `json:"yaml_errors"`
	UserID         *int64     `json:"user_id"`
	Duration       *int       `json:"duration"` // seconds
	CreatedAt      *time.Time `json:"created_at"`
	UpdatedAt      *time.Time `json:"updated_at"`
	StartedAt      *time.Time `json:"started_at"`
	FinishedAt     *time.Time `json:"finished_at"`
	CommittedAt    *time.Time `json:"committed_at"`
	QueuedDuration *int       `json:"queued_duration,omitempty"`

	Stages       []Stage               `json:"stages"`
	MergeRequest *PipelineMergeRequest `json:"merge_request,omitempty"`
	Metadata     *PipelineMetadata     `json:"pipeline_metadata,omitempty"`
}

// PipelineMergeRequest says which merge request a pipeline ran for.
type PipelineMergeRequest struct {
	IID int64 `json:"iid"`
}

// PipelineMetadata holds the name of a pipeline.
type PipelineMetadata struct {
	Name *string `json:"name"`
}

// Stage is a stage of a pipeline.
type Stage struct {
	Name      string     `json:"name"`
	Position  *int       `json:"position"`
	Status    Word       `json:"status"`
	CreatedAt *time.Time `json:"created_at"`
	UpdatedAt *time.Time `json:"updated_at"`
	Builds    []Job      `json:"builds"`
	Bridges   []Job      `json:"bridges"`
	External  []Job      `json:"generic_commit_statuses"` // reported by other systems
	Statuses  []Job      `json:"statuses,omitempty"`      // all three, in archives before 14; see Job.Type
}

// Job is a job of a stage, or a status that another system reported.
type Job struct {
	Name          string          `json:"name"`
	Type          string          `json:"type,omitempty"` // Ci::Build, Ci::Bridge, GenericCommitStatus
	Status        Word            `json:"status"`
	StageIndex    *int            `json:"stage_idx"`
	Ref           *string         `json:"ref"`
	Tag           *bool           `json:"tag"`
	Options       json.RawMessage `json:"options,omitempty"`
	AllowFailure  bool            `json:"allow_failure"`
	FailureReason *Word           `json:"failure_reason"`
	Coverage      *float64        `json:"coverage"`
	Description   *string         `json:"description"`
	TargetURL     *string         `json:"target_url"`
	When          *Word           `json:"when"`
	Retried       *bool           `json:"retried"`
	UserID        *int64          `json:"user_id"`
	CreatedAt     *time.Time      `json:"created_at"`
	UpdatedAt     *time.Time      `json:"updated_at"`
	QueuedAt      *time.Time      `json:"queued_at"`
	StartedAt     *time.Time      `json:"started_at"`
	FinishedAt    *time.Time      `json:"finished_at"`
	ErasedAt      *time.Time      `json:"erased_at"`
}

// The values of Job.Type.
const (
	Build          = "Ci::Build"
	Bridge         = "Ci::Bridge"
	ExternalStatus = "GenericCommitStatus"
)

// Schedule runs pipelines at times. Its variables are secret and stay at the source.
type Schedule struct {
	Description  string     `json:"description"`
	Ref          string     `json:"ref"`
	Cron         string     `json:"cron"`
	CronTimezone string     `json:"cron_timezone"`
	Active       bool       `json:"active"`
	NextRunAt    *time.Time `json:"next_run_at"`
	OwnerID      *int64     `json:"owner_id"`
	CreatedAt    *time.Time `json:"created_at"`
	UpdatedAt    *time.Time `json:"updated_at"`
}

// AutoDevops holds the settings of pipelines for projects without a definition.
type AutoDevops struct {
	Enabled        *bool `json:"enabled"`
	DeployStrategy Word  `json:"deploy_strategy"`
}

// CICDSettings holds settings of pipelines; names are those of the API without the prefix ci_.
type CICDSettings struct {
	GroupRunnersEnabled *bool `json:"group_runners_enabled"`
	MergePipelines      *bool `json:"merge_pipelines_enabled,omitempty"`
	MergeTrains         *bool `json:"merge_trains_enabled,omitempty"`
}

// ContainerExpirationPolicy says which images of containers go.
type ContainerExpirationPolicy struct {
	Enabled       bool       `json:"enabled"`
	Cadence       string     `json:"cadence"`
	OlderThan     *string    `json:"older_than"`
	KeepN         *int       `json:"keep_n"`
	NameRegex     *string    `json:"name_regex"`
	NameRegexKeep *string    `json:"name_regex_keep"`
	NextRunAt     *time.Time `json:"next_run_at"`
}

// ServiceDeskSetting holds the names of mail to the project.
type ServiceDeskSetting struct {
	IssueTemplateKey *string `json:"issue_template_key"`
	OutgoingName     *string `json:"outgoing_name"`
	ProjectKey       *string `json:"project_key"`
}

// ErrorTrackingSetting says where errors are collected, without its token.
type ErrorTrackingSetting struct {
	Enabled          *bool   `json:"enabled"`
	Integrated       *bool   `json:"integrated"`
	APIURL           *string `json:"api_url"`
	ProjectName      *string `json:"project_name"`
	OrganizationName *string `json:"organization_name"`
}
