package definition

import (
	"encoding/json"

	"hew/schema/catalogue"
	"hew/server/ci/document"
)

// Options are what the server stores of a job for the runner. The names are those of the
// definition file; references to variables stay as they are.
type Options struct {
	BeforeScript []string        `json:"before_script,omitempty"`
	Script       []string        `json:"script,omitempty"`
	AfterScript  []string        `json:"after_script,omitempty"`
	Run          json.RawMessage `json:"run,omitempty"`
	Hooks        *Hooks          `json:"hooks,omitempty"`

	Image    *Image          `json:"image,omitempty"`
	Services []Service       `json:"services,omitempty"`
	Cache    []Cache         `json:"cache,omitempty"`
	Release  *Release        `json:"release,omitempty"`
	Pages    *Pages          `json:"pages,omitempty"`
	Retry    *Retry          `json:"retry,omitempty"`
	Timeout  int64           `json:"timeout,omitempty"`  // seconds
	Coverage string          `json:"coverage,omitempty"` // with the slashes
	Trigger  *Trigger        `json:"trigger,omitempty"`
	Secrets  json.RawMessage `json:"secrets,omitempty"`
	Identity string          `json:"identity,omitempty"`
	IDTokens []IDToken       `json:"id_tokens,omitempty"`
	Inputs   json.RawMessage `json:"inputs,omitempty"`

	Artifacts *Artifacts `json:"artifacts,omitempty"`
	// Dependencies are the jobs whose artifacts are downloaded. Nil: all jobs of earlier stages, or
	// the needs with artifacts.
	Dependencies []string    `json:"dependencies"`
	CrossNeeds   []CrossNeed `json:"cross_dependencies,omitempty"`
	// UpstreamPipeline is the project whose pipeline a bridge mirrors.
	UpstreamPipeline string `json:"upstream_pipeline,omitempty"`

	ManualConfirmation string `json:"manual_confirmation,omitempty"`
}

// Hooks are scripts that the runner executes at its own steps.
type Hooks struct {
	PreGetSources []string `json:"pre_get_sources_script,omitempty"`
}

// Image is what a job runs in.
type Image struct {
	Name       string          `json:"name"`
	Entrypoint []string        `json:"entrypoint,omitempty"`
	Docker     *DockerOptions  `json:"docker,omitempty"`
	Kubernetes json.RawMessage `json:"kubernetes,omitempty"`
	PullPolicy []string        `json:"pull_policy,omitempty"`
}

// DockerOptions are for runners that use Docker.
type DockerOptions struct {
	Platform string `json:"platform,omitempty"`
	User     string `json:"user,omitempty"`
}

// Service is an image that runs beside a job.
type Service struct {
	Image
	Alias     string         `json:"alias,omitempty"`
	Command   []string       `json:"command,omitempty"`
	Variables []NameAndValue `json:"variables,omitempty"`
}

// NameAndValue is a variable of a service.
type NameAndValue struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Cache are files that later jobs find again.
type Cache struct {
	Key          CacheKey `json:"key"`
	Paths        []string `json:"paths,omitempty"`
	Untracked    bool     `json:"untracked,omitempty"`
	When         string   `json:"when"`   // on_success, on_failure or always
	Policy       string   `json:"policy"` // pull-push, pull, push or a variable
	Unprotect    bool     `json:"unprotect,omitempty"`
	FallbackKeys []string `json:"fallback_keys,omitempty"`
}

// CacheKey is a text, or the digest of files with a prefix.
type CacheKey struct {
	Text         string   `json:"text,omitempty"`
	Files        []string `json:"files,omitempty"`
	FilesCommits []string `json:"files_commits,omitempty"`
	Prefix       string   `json:"prefix,omitempty"`
}

// Artifacts are files of a job that the server keeps.
type Artifacts struct {
	Name      string   `json:"name,omitempty"`
	Paths     []string `json:"paths,omitempty"`
	Exclude   []string `json:"exclude,omitempty"`
	Untracked bool     `json:"untracked,omitempty"`
	When      string   `json:"when,omitempty"`      // on_success, on_failure or always
	ExpireIn  string   `json:"expire_in,omitempty"` // a duration or never
	ExposeAs  string   `json:"expose_as,omitempty"`
	Public    *bool    `json:"public,omitempty"`
	Access    string   `json:"access,omitempty"` // all, developer, maintainer or none
	Reports   []Report `json:"reports,omitempty"`
}

// Report is a file that the server reads (ci §1.5).
type Report struct {
	Kind   string   `json:"kind"`   // as in the file, such as "junit"
	Type   string   `json:"type"`   // artifact_type for the runner
	Format string   `json:"format"` // artifact_format: gzip, zip or raw
	Name   string   `json:"name"`   // of the file at the server
	Paths  []string `json:"paths"`
}

// Environment is what a job deploys to.
type Environment struct {
	Name           string          `json:"name"` // with references to variables
	URL            string          `json:"url,omitempty"`
	OnStop         string          `json:"on_stop,omitempty"`
	Action         string          `json:"action"` // start, stop, prepare, verify or access
	AutoStopIn     string          `json:"auto_stop_in,omitempty"`
	DeploymentTier string          `json:"deployment_tier,omitempty"`
	Kubernetes     json.RawMessage `json:"kubernetes,omitempty"`

	at *document.Node
}

// tier returns the tier that is declared, or else the one that a new environment has by its name.
func (e *Environment) tier() string {
	if e.DeploymentTier != "" {
		return e.DeploymentTier
	}
	return catalogue.TierOf(e.Name)
}
