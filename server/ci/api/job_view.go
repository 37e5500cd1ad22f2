package api

import (
	"fmt"
	"time"

	"hew/server/ci"
	"hew/server/ci/status"
	codeapi "hew/server/code/api"
	"hew/server/tree"
	"hew/server/view"
)

// jobView is a job (spec 1 §2.3).
type jobView struct {
	ID             int64               `json:"id"`
	Status         status.Status       `json:"status"`
	Stage          string              `json:"stage"`
	Name           string              `json:"name"`
	Ref            string              `json:"ref"`
	Tag            bool                `json:"tag"`
	Coverage       *float64            `json:"coverage"` // percent
	AllowFailure   bool                `json:"allow_failure"`
	CreatedAt      time.Time           `json:"created_at"`
	StartedAt      *time.Time          `json:"started_at"`
	FinishedAt     *time.Time          `json:"finished_at"`
	ErasedAt       *time.Time          `json:"erased_at"`
	Duration       *float64            `json:"duration"`        // seconds
	QueuedDuration *float64            `json:"queued_duration"` // seconds
	User           *jobUser            `json:"user"`
	Commit         *codeapi.CommitView `json:"commit"`
	Pipeline       basicPipeline       `json:"pipeline"`
	FailureReason  string              `json:"failure_reason,omitempty"`
	WebURL         string              `json:"web_url"`
	Project        jobProject          `json:"project"`
	*jobFiles
	*jobDownstream
}

type jobProject struct {
	TokenScope bool `json:"ci_job_token_scope_enabled"`
}

// jobFiles are what only a job with a script has.
type jobFiles struct {
	ArtifactsFile     *artifactFile  `json:"artifacts_file,omitempty"`
	Artifacts         []artifactView `json:"artifacts"`
	Runner            *runnerView    `json:"runner"`
	ArtifactsExpireAt *time.Time     `json:"artifacts_expire_at"`
	Archived          bool           `json:"archived"` // no job ever is
	TagList           []string       `json:"tag_list"`
}

// jobDownstream is what only a trigger job has.
type jobDownstream struct {
	Downstream *basicPipeline `json:"downstream_pipeline"`
}

type artifactFile struct {
	Filename string `json:"filename"`
	Size     int64  `json:"size"` // bytes
}

type artifactView struct {
	FileType   string `json:"file_type"`
	Size       int64  `json:"size"` // bytes
	Filename   string `json:"filename"`
	FileFormat string `json:"file_format"`
}

// jobUser is a user with the profile that everybody sees, which a private one hides (spec 1 §2.2).
type jobUser struct {
	view.BasicUser
	CreatedAt    *time.Time `json:"created_at"`
	Bio          *string    `json:"bio"`
	Location     *string    `json:"location"`
	PublicEmail  *string    `json:"public_email"`
	Skype        *string    `json:"skype"`
	Linkedin     *string    `json:"linkedin"`
	Twitter      *string    `json:"twitter"`
	WebsiteURL   *string    `json:"website_url"`
	Organization *string    `json:"organization"`
}

func jobUserOf(a *view.Site, u tree.User) *jobUser {
	v := &jobUser{BasicUser: a.BasicUser(u.Person())}
	if !u.PrivateProfile {
		v.CreatedAt, v.Bio, v.Location, v.PublicEmail = &u.CreatedAt, &u.Bio, u.Location, u.PublicEmail
		v.Skype, v.Linkedin, v.Twitter, v.WebsiteURL, v.Organization = &u.Skype, &u.Linkedin, &u.Twitter, &u.WebsiteURL,
			&u.Organization
	}
	return v
}

// view shows a job with what was read for it.
func (v jobViews) view(j ci.Job) jobView {
	shown := jobView{
		ID: j.ID, Status: j.Status, Stage: j.Stage, Name: j.Name, Ref: j.Ref, Tag: j.Tag, Coverage: j.Coverage,
		AllowFailure: j.AllowFailure, CreatedAt: j.CreatedAt, StartedAt: j.StartedAt, FinishedAt: j.FinishedAt,
		ErasedAt: j.ErasedAt, Duration: j.Duration(v.now), QueuedDuration: j.QueuedDuration(v.now),
		Pipeline: pipelineViews{v.Site}.basic(v.pipelines[j.PipelineID]),
		WebURL:   v.Web(fmt.Sprintf("%s/-/jobs/%d", j.Path, j.ID)),
	}
	if j.UserID != nil {
		if u, ok := v.users[*j.UserID]; ok {
			shown.User = jobUserOf(v.Site, u)
		}
	}
	if c, ok := v.commits[j.Commit]; ok {
		shown.Commit = new(codeapi.ViewCommit(v.Site, v.project, c))
	}
	if j.Status == status.Failed && j.FailureReason != nil {
		shown.FailureReason = *j.FailureReason
	}
	if j.Kind == ci.Bridge {
		shown.jobDownstream = &jobDownstream{}
		if p, ok := v.downstream[j.ID]; ok {
			shown.Downstream = new(pipelineViews{v.Site}.basic(p))
		}
		return shown
	}
	shown.jobFiles = v.files(j)
	return shown
}

// files shows what a job left behind, and who ran it.
func (v jobViews) files(j ci.Job) *jobFiles {
	shown := &jobFiles{Artifacts: []artifactView{}, ArtifactsExpireAt: j.ArtifactsExpireAt, TagList: j.Tags}
	if shown.TagList == nil {
		shown.TagList = []string{}
	}
	if j.RunnerID != nil {
		if r, ok := v.runners[*j.RunnerID]; ok {
			shown.Runner = new(runnerViewOf(r))
		}
	}
	for _, a := range v.artifacts[j.ID] {
		shown.Artifacts = append(shown.Artifacts, artifactView{a.FileType, a.Size, a.Filename, a.FileFormat})
		if a.FileType == ci.ArchiveFile {
			shown.ArtifactsFile = &artifactFile{a.Filename, a.Size}
		}
	}
	return shown
}
