package api

import (
	"encoding/json"
	"slices"
	"strings"

	"hew/server/ci"
	"hew/server/ci/definition"
	"hew/server/db"
)

// payloadStep is a script that the runner executes.
type payloadStep struct {
	Name         string   `json:"name"`
	Script       []string `json:"script"`
	Timeout      int      `json:"timeout"` // seconds
	When         string   `json:"when"`
	AllowFailure bool     `json:"allow_failure"`
}

// stepsOf returns the scripts of a job: its own, that of its release, and what comes after both.
func stepsOf(w ci.Work) []payloadStep {
	o, timeout := w.Definition.Options, *w.Job.Timeout
	steps := []payloadStep{}
	if script := slices.Concat(o.BeforeScript, o.Script); len(script) > 0 {
		steps = append(steps, payloadStep{"script", script, timeout, "on_success", false})
	}
	if o.Release != nil {
		steps = append(steps, payloadStep{"release", []string{releaseCommand(*o.Release)}, timeout, "on_success", false})
	}
	if len(o.AfterScript) > 0 {
		steps = append(steps, payloadStep{"after_script", o.AfterScript, timeout, "always", true})
	}
	return steps
}

// releaseCommand returns the command that makes a release. The shell replaces variables in it.
func releaseCommand(r definition.Release) string {
	words := []string{"release-cli", "create"}
	add := func(flag, value string) {
		if value != "" {
			words = append(words, flag, quote(value))
		}
	}
	add("--name", r.Name)
	add("--description", r.Description)
	add("--tag-name", r.TagName)
	add("--tag-message", r.TagMessage)
	add("--ref", r.Ref)
	add("--released-at", r.ReleasedAt)
	for _, milestone := range r.Milestones {
		add("--milestone", milestone)
	}
	if r.Assets != nil {
		for _, link := range r.Assets.Links {
			text, _ := json.Marshal(link) // texts always encode
			add("--assets-link", string(text))
		}
	}
	return strings.Join(words, " ")
}

// quote returns a text as one word of a shell, in which variables are still replaced.
func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`").Replace(text) + `"`
}

// payloadImage is an image that a job runs in, or one that runs beside it.
type payloadImage struct {
	Name       string                    `json:"name"`
	Alias      string                    `json:"alias,omitempty"`
	Entrypoint []string                  `json:"entrypoint,omitempty"`
	Command    []string                  `json:"command,omitempty"`
	Variables  []definition.NameAndValue `json:"variables,omitempty"`
	PullPolicy []string                  `json:"pull_policy,omitempty"`
	Options    map[string]any            `json:"executor_opts,omitempty"`
}

func imageOf(i *definition.Image) *payloadImage {
	if i == nil {
		return nil
	}
	v := &payloadImage{Name: i.Name, Entrypoint: i.Entrypoint, PullPolicy: i.PullPolicy, Options: map[string]any{}}
	if i.Docker != nil {
		v.Options["docker"] = i.Docker
	}
	if len(i.Kubernetes) > 0 {
		v.Options["kubernetes"] = i.Kubernetes
	}
	return v
}

func serviceOf(s definition.Service) *payloadImage {
	v := imageOf(&s.Image)
	v.Alias, v.Command, v.Variables = s.Alias, s.Command, s.Variables
	return v
}

// payloadArtifact says which files the runner sends when the script is over.
type payloadArtifact struct {
	Name      *string  `json:"name"`
	Untracked bool     `json:"untracked"`
	Paths     []string `json:"paths"`
	Exclude   []string `json:"exclude,omitempty"`
	When      string   `json:"when"`
	ExpireIn  *string  `json:"expire_in"`
	Type      string   `json:"artifact_type"`
	Format    string   `json:"artifact_format"`
}

// payloadArtifactsOf returns the archive, if there is one, and each report.
func payloadArtifactsOf(o definition.Options) []payloadArtifact {
	list := []payloadArtifact{}
	a := o.Artifacts
	if a == nil {
		return list
	}
	if len(a.Paths) > 0 || a.Untracked {
		when := a.When
		if when == "" {
			when = "on_success"
		}
		list = append(list, payloadArtifact{
			Name: db.NilIfZero(a.Name), Untracked: a.Untracked, Paths: a.Paths, Exclude: a.Exclude, When: when,
			ExpireIn: db.NilIfZero(a.ExpireIn), Type: ci.ArchiveFile, Format: "zip",
		})
	}
	for _, r := range a.Reports {
		list = append(list, payloadArtifact{
			Name: db.NilIfZero(r.Name), Paths: r.Paths, When: "always", ExpireIn: db.NilIfZero(a.ExpireIn), Type: r.Type,
			Format: r.Format,
		})
	}
	return list
}

// payloadCache are files that later jobs find again.
type payloadCache struct {
	Key          string   `json:"key"`
	Untracked    bool     `json:"untracked"`
	Paths        []string `json:"paths"`
	Policy       string   `json:"policy"`
	When         string   `json:"when"`
	FallbackKeys []string `json:"fallback_keys"`
}

func payloadCachesOf(w ci.Work) []payloadCache {
	list := []payloadCache{}
	for _, c := range w.Caches {
		list = append(list, payloadCache{c.Key, c.Untracked, c.Paths, c.Policy, c.When, c.FallbackKeys})
	}
	return list
}
