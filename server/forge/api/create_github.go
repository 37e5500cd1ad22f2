package api

import (
	"cmp"
	"context"
	"fmt"

	"hew/server/fault"
	"hew/server/forge"
	"hew/server/forge/github"
	"hew/server/forge/hostapi"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/setting"
)

// gitHubNew are the parameters of an import from a host of the GitHub kind. The host has the name
// of the specification and that of the public service.
type gitHubNew struct {
	Token           string         `param:"personal_access_token,required,notempty"`
	RepositoryID    int64          `param:"repo_id,required"`
	TargetNamespace string         `param:"target_namespace,required,notempty"`
	NewName         string         `param:"new_name"`
	ForgeHostname   string         `param:"forge_hostname"`
	GitHubHostname  string         `param:"github_hostname"`
	Stages          optionalStages `param:"optional_stages"`
	MoreTokens      []string       `param:"additional_access_tokens,comma"`
	PageSize        rest.Opt[int]  `param:"pagination_limit"`
	timeouts
}

// optionalStages are the stages that are left out unless they are chosen.
type optionalStages struct {
	SingleEvents  bool `param:"single_endpoint_issue_events_import"`
	SingleNotes   bool `param:"single_endpoint_notes_import"`
	Attachments   bool `param:"attachments_import"`
	Collaborators bool `param:"collaborators_import"`
}

// maxTokens is how many further tokens an import takes.
const maxTokens = 20

func (a imports) createGitHub(ctx context.Context, s scope.Signed, in gitHubNew) (importView, error) {
	settings, err := CheckSource(ctx, s, forge.GitHub)
	if err != nil {
		return importView{}, err
	}
	base, err := in.base()
	if err != nil {
		return importView{}, err
	}
	if err := CheckHost(settings, base); err != nil {
		return importView{}, err
	}
	if _, err := findSpace(ctx, s, in.TargetNamespace); err != nil {
		return importView{}, err
	}
	source := forge.Source{Kind: forge.GitHub, Base: base, Token: in.Token, More: in.MoreTokens}
	clients, err := forge.Reach{Out: a.Out, Policy: setting.OutboundPolicy(settings)}.GitHubClients(source, 0)
	if err != nil {
		return importView{}, InvalidURL(err.Error())
	}
	r, err := clients[0].Repository(ctx, in.RepositoryID)
	if err == nil && r.FullName == "" {
		err = &hostapi.StatusError{Message: "the answer is not a repository"}
	}
	if err != nil {
		return importView{}, HostFault(err, "GitHub", "Access denied to your GitHub account.")
	}
	if limit := settings.RepositorySizeLimit; limit > 0 && r.Size > limit>>10 {
		return importView{}, tooLarge(r, limit)
	}
	source.RepositoryID, source.FullName, source.CloneURL = r.ID, r.FullName, r.CloneURL
	source.HasWiki, source.Branch = r.HasWiki, r.DefaultBranch
	n := forge.New{Source: source, Description: r.Description, Private: r.Private, Options: forge.Options{
		SingleEvents: in.Stages.SingleEvents, SingleNotes: in.Stages.SingleNotes,
		Attachments: in.Stages.Attachments, Collaborators: in.Stages.Collaborators,
		Optimistic: in.optimistic(), PageSize: in.PageSize.Or(0),
	}}
	n.Name, n.Path = nameOf(in.NewName, r.Name, r.Name)
	return a.begin(ctx, s, in.TargetNamespace, n)
}

// base returns the address of the API, and a refusal of parameters that are not valid.
func (in gitHubNew) base() (string, error) {
	size := in.PageSize.Or(100)
	switch {
	case size < 1 || size > 100:
		return "", fault.Param("pagination_limit does not have a valid value")
	case len(in.MoreTokens) > maxTokens:
		return "", fault.Param(fmt.Sprintf("additional_access_tokens has more than %d entries", maxTokens))
	}
	base, err := github.Base(cmp.Or(in.ForgeHostname, in.GitHubHostname))
	if err != nil {
		return "", InvalidURL(err.Error())
	}
	return base, nil
}

// tooLarge returns the refusal of a repository that is larger than the limit, in bytes.
func tooLarge(r github.Repository, limit int64) error {
	return fault.Unprocessable(fmt.Sprintf("%q size (%d MiB) is larger than the limit of %d MiB.",
		r.Name, r.Size>>10, limit>>20)).In(fault.Service)
}
