package api

import (
	"encoding/json"
	"strconv"
	"time"

	"hew/server/ci"
	"hew/server/ci/definition"
	"hew/server/db"
)

// jobPayload is a job as its runner gets it (gaps §10.4, CI facts §4.2). The runner decodes it with
// types: numbers are never text.
type jobPayload struct {
	ID            int64               `json:"id"`
	Token         string              `json:"token"`
	AllowGitFetch bool                `json:"allow_git_fetch"`
	JobInfo       jobInfo             `json:"job_info"`
	GitInfo       gitInfo             `json:"git_info"`
	RunnerInfo    timeoutInfo         `json:"runner_info"`
	Inputs        []struct{}          `json:"inputs"`
	Variables     []payloadVariable   `json:"variables"`
	Steps         []payloadStep       `json:"steps"`
	Image         *payloadImage       `json:"image"`
	Services      []payloadImage      `json:"services"`
	Artifacts     []payloadArtifact   `json:"artifacts"`
	Cache         []payloadCache      `json:"cache"`
	Credentials   []struct{}          `json:"credentials"` // there is no registry
	Dependencies  []payloadDependency `json:"dependencies"`
	Features      payloadFeatures     `json:"features"`
	Hooks         []payloadHook       `json:"hooks"`
	Secrets       json.RawMessage     `json:"secrets,omitempty"`
	Run           *string             `json:"run,omitempty"` // steps as JSON, for runners that have them
}

type jobInfo struct {
	ID              int64   `json:"id"`
	Name            string  `json:"name"`
	Stage           string  `json:"stage"`
	ProjectID       int64   `json:"project_id"`
	ProjectName     string  `json:"project_name"`
	ProjectFullPath string  `json:"project_full_path"`
	NamespaceID     int64   `json:"namespace_id"`
	RootNamespaceID int64   `json:"root_namespace_id"`
	OrganizationID  int64   `json:"organization_id"`
	UserID          int64   `json:"user_id"`
	Queued          float64 `json:"time_in_queue_seconds"`
	Running         string  `json:"project_jobs_running_on_instance_runners_count"` // 5+ for more
}

// mostRunning is up to where the running jobs of a project are counted.
const mostRunning = 5

func jobInfoOf(w ci.Work) jobInfo {
	info := jobInfo{
		ID: w.Job.ID, Name: w.Job.Name, Stage: w.Job.Stage, ProjectID: w.Project.ID, ProjectName: w.Project.Name,
		ProjectFullPath: w.Project.FullPath, NamespaceID: w.Project.NamespaceID,
		RootNamespaceID: w.Project.NamespaceIDs[0], OrganizationID: 1, Running: strconv.Itoa(w.Busy),
		UserID: db.OrZero(w.Job.UserID),
	}
	if queued := w.Job.QueuedDuration(time.Now()); queued != nil {
		info.Queued = *queued
	}
	if w.Busy >= mostRunning {
		info.Running = strconv.Itoa(mostRunning) + "+"
	}
	return info
}

type timeoutInfo struct {
	Timeout          int     `json:"timeout"` // seconds
	RunnerSessionURL *string `json:"runner_session_url"`
}

type payloadVariable struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Public bool   `json:"public"`
	Masked bool   `json:"masked"`
	File   bool   `json:"file,omitempty"`
	Raw    bool   `json:"raw,omitempty"`
}

func payloadVariablesOf(w ci.Work) []payloadVariable {
	list := make([]payloadVariable, len(w.Variables))
	for n, v := range w.Variables {
		list[n] = payloadVariable{v.Key, v.Value, v.Public, v.Masked, v.File, v.Raw}
	}
	return list
}

type payloadDependency struct {
	ID            int64        `json:"id"`
	Name          string       `json:"name"`
	Token         string       `json:"token"` // of the job that runs
	ArtifactsFile *archiveInfo `json:"artifacts_file,omitempty"`
}

type archiveInfo struct {
	Filename string `json:"filename"`
	Size     int64  `json:"size"`
}

func payloadDependenciesOf(w ci.Work) []payloadDependency {
	list := make([]payloadDependency, len(w.Dependencies))
	for n, d := range w.Dependencies {
		list[n] = payloadDependency{ID: d.Job.ID, Name: d.Job.Name, Token: w.Token}
		if d.Archive != nil {
			list[n].ArtifactsFile = &archiveInfo{d.Archive.Filename, d.Archive.Size}
		}
	}
	return list
}

type payloadFeatures struct {
	TraceSections     bool     `json:"trace_sections"`
	TokenMaskPrefixes []string `json:"token_mask_prefixes"`
	FailureReasons    []string `json:"failure_reasons"`
}

// maskedPrefixes begin the tokens that runners hide in traces.
var maskedPrefixes = []string{"glpat-", "gldt-", "glrt-", "glcbt-", "glptt-"}

type payloadHook struct {
	Name   string   `json:"name"`
	Script []string `json:"script"`
}

func payloadHooksOf(o definition.Options) []payloadHook {
	if o.Hooks == nil || len(o.Hooks.PreGetSources) == 0 {
		return []payloadHook{}
	}
	return []payloadHook{{"pre_get_sources_script", o.Hooks.PreGetSources}}
}

// payloadOf returns what the runner of a job gets.
func payloadOf(site ci.Site, w ci.Work) jobPayload {
	o := w.Definition.Options
	v := jobPayload{
		ID: w.Job.ID, Token: w.Token, AllowGitFetch: w.Project.Settings.BuildGitStrategy == "fetch",
		JobInfo: jobInfoOf(w), GitInfo: gitInfoOf(site, w), RunnerInfo: timeoutInfo{Timeout: *w.Job.Timeout},
		Inputs: []struct{}{}, Variables: payloadVariablesOf(w), Steps: stepsOf(w), Image: imageOf(o.Image),
		Services: []payloadImage{}, Artifacts: payloadArtifactsOf(o), Cache: payloadCachesOf(w),
		Credentials: []struct{}{}, Dependencies: payloadDependenciesOf(w),
		Features: payloadFeatures{true, maskedPrefixes, ci.FailureReasons}, Hooks: payloadHooksOf(o), Secrets: o.Secrets,
	}
	for _, s := range o.Services {
		v.Services = append(v.Services, *serviceOf(s))
	}
	if len(o.Run) > 0 {
		v.Run = new(string(o.Run))
	}
	return v
}
