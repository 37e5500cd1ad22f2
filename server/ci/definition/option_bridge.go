package definition

import "encoding/json"

// Retry says how often and after which failures a job is run again.
type Retry struct {
	Max       int      `json:"max"`
	When      []string `json:"when,omitempty"` // failure reasons, or always
	ExitCodes []int    `json:"exit_codes,omitempty"`
}

// Release is a release that the job makes.
type Release struct {
	TagName     string         `json:"tag_name"`
	TagMessage  string         `json:"tag_message,omitempty"`
	Name        string         `json:"name,omitempty"`
	Description string         `json:"description"`
	Ref         string         `json:"ref,omitempty"`
	Milestones  []string       `json:"milestones,omitempty"`
	ReleasedAt  string         `json:"released_at,omitempty"`
	Assets      *ReleaseAssets `json:"assets,omitempty"`
}

// ReleaseAssets are links of a release.
type ReleaseAssets struct {
	Links []ReleaseLink `json:"links"`
}

// ReleaseLink is a link of a release.
type ReleaseLink struct {
	Name     string `json:"name"`
	URL      string `json:"url"`
	FilePath string `json:"filepath,omitempty"`
	LinkType string `json:"link_type,omitempty"`
}

// Pages says that a job publishes a site.
type Pages struct {
	Publish    string `json:"publish"` // a directory
	PathPrefix string `json:"path_prefix,omitempty"`
	ExpireIn   string `json:"expire_in,omitempty"`
}

// IDToken is a variable that holds a JWT.
type IDToken struct {
	Name     string   `json:"name"`
	Audience []string `json:"aud"`
}

// Trigger is the pipeline that a bridge starts, in another project or as a child of its own one.
type Trigger struct {
	Project  string          `json:"project,omitempty"` // full path, with references to variables
	Branch   string          `json:"branch,omitempty"`
	Include  []Include       `json:"include,omitempty"`
	Strategy string          `json:"strategy,omitempty"` // depend or mirror
	Forward  Forward         `json:"forward"`
	Inputs   json.RawMessage `json:"inputs,omitempty"`
}

// Forward says which variables a triggered pipeline gets.
type Forward struct {
	YAMLVariables     bool `json:"yaml_variables"`
	PipelineVariables bool `json:"pipeline_variables"`
}

// Include is a file of the definition of a child pipeline.
type Include struct {
	Local     string          `json:"local,omitempty"`
	Project   string          `json:"project,omitempty"`
	File      []string        `json:"file,omitempty"`
	Ref       string          `json:"ref,omitempty"`
	Remote    string          `json:"remote,omitempty"`
	Template  string          `json:"template,omitempty"`
	Component string          `json:"component,omitempty"`
	Artifact  string          `json:"artifact,omitempty"` // with Job
	Job       string          `json:"job,omitempty"`
	Inputs    json.RawMessage `json:"inputs,omitempty"`
}
