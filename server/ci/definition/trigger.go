package definition

import "encoding/json"

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
