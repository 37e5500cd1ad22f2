package api

import "hew/server/ci/definition"

// lintJob is a job of a definition. One of a simulated pipeline does not show what decided about
// it.
type lintJob struct {
	Name         string             `json:"name"`
	Stage        string             `json:"stage"`
	BeforeScript []string           `json:"before_script"`
	Script       []string           `json:"script"`
	AfterScript  []string           `json:"after_script"`
	TagList      []string           `json:"tag_list"`
	Only         *definition.Policy `json:"only,omitempty"`
	Except       *definition.Policy `json:"except,omitempty"`
	Environment  *string            `json:"environment"`
	When         definition.When    `json:"when"`
	AllowFailure bool               `json:"allow_failure"`
	Needs        *[]definition.Need `json:"needs,omitempty"`
}

// lintJobs shows jobs of a definition, or of a simulated pipeline.
func lintJobs(jobs []*definition.Job, simulated bool) []lintJob {
	list := make([]lintJob, len(jobs))
	for n, j := range jobs {
		list[n] = lintJob{
			Name: j.Name, Stage: j.Stage, BeforeScript: orEmpty(j.Options.BeforeScript),
			Script: orEmpty(j.Options.Script), AfterScript: orEmpty(j.Options.AfterScript), TagList: orEmpty(j.Tags),
			When: j.When, AllowFailure: j.AllowFailure,
		}
		if j.Environment != nil {
			list[n].Environment = &j.Environment.Name
		}
		if simulated {
			continue
		}
		if j.Needs != nil {
			list[n].Needs = &j.Needs
		}
		if j.Rules == nil {
			list[n].Only, list[n].Except = j.Only, j.Except
		}
	}
	return list
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
