package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"hew/server/fault"
	"hew/server/forge"
	"hew/server/forge/hostapi"
	"hew/server/scope"
	"hew/server/setting"
	"hew/server/tree"
)

// bitbucketNew are the parameters of an import from a host of the Bitbucket Server kind. Some have
// the name of the specification and that of the public service.
type bitbucketNew struct {
	ForgeURL         string `param:"forge_server_url"`
	BitbucketURL     string `param:"bitbucket_server_url"`
	ForgeUser        string `param:"forge_server_username"`
	BitbucketUser    string `param:"bitbucket_server_username"`
	Token            string `param:"personal_access_token,required,notempty"`
	ForgeProject     string `param:"forge_server_project"`
	BitbucketProject string `param:"bitbucket_server_project"`
	ForgeRepo        string `param:"forge_server_repo"`
	BitbucketRepo    string `param:"bitbucket_server_repo"`
	NewName          string `param:"new_name"`
	TargetNamespace  string `param:"target_namespace"`
	NewNamespace     string `param:"new_namespace"`
	timeouts
	_ struct{} `atleast:"forge_server_url bitbucket_server_url"`
	_ struct{} `atleast:"forge_server_username bitbucket_server_username"`
	_ struct{} `atleast:"forge_server_project bitbucket_server_project"`
	_ struct{} `atleast:"forge_server_repo bitbucket_server_repo"`
}

func (a imports) createBitbucket(ctx context.Context, s scope.Signed, in bitbucketNew) (importView, error) {
	settings, err := CheckSource(ctx, s, forge.BitbucketServer)
	if err != nil {
		return importView{}, err
	}
	source := forge.Source{
		Kind: forge.BitbucketServer, Base: cmp.Or(in.ForgeURL, in.BitbucketURL), Token: in.Token,
		User: cmp.Or(in.ForgeUser, in.BitbucketUser), Project: cmp.Or(in.ForgeProject, in.BitbucketProject),
		Slug: cmp.Or(in.ForgeRepo, in.BitbucketRepo),
	}
	if err := CheckHost(settings, source.Base); err != nil {
		return importView{}, err
	}
	path := cmp.Or(in.TargetNamespace, in.NewNamespace)
	if path == "" {
		if path, err = ownPath(ctx, s); err != nil {
			return importView{}, err
		}
	}
	if _, err := findSpace(ctx, s, path); err != nil {
		return importView{}, err
	}
	client, err := forge.Reach{Out: a.Out, Policy: setting.OutboundPolicy(settings)}.BitbucketServerClient(source)
	if err != nil {
		return importView{}, InvalidURL(err.Error())
	}
	r, err := client.Repository(ctx, source.Project, source.Slug)
	if err == nil && r.CloneURL() == "" {
		err = &hostapi.StatusError{Message: "the repository has no address for git over HTTP"}
	}
	if err != nil {
		return importView{}, bitbucketFault(err, source)
	}
	source.RepositoryID, source.CloneURL = r.ID, r.CloneURL()
	source.FullName = source.Project + "/" + source.Slug
	n := forge.New{
		Source: source, Description: r.Description, Private: !r.Public && !r.Project.Public,
		Options: forge.Options{Optimistic: in.optimistic()},
	}
	n.Name, n.Path = nameOf(in.NewName, r.Name, r.Slug)
	return a.begin(ctx, s, path, n)
}

// ownPath returns the path of the caller's personal namespace.
func ownPath(ctx context.Context, s scope.Signed) (string, error) {
	space, err := tree.Namespace(ctx, s.Store, s.Caller.User.NamespaceID)
	return space.FullPath, err
}

// bitbucketFault returns the refusal for what the host answered.
func bitbucketFault(err error, source forge.Source) error {
	var refused *hostapi.StatusError
	if errors.As(err, &refused) {
		switch {
		case refused.Status == 404:
			text := fmt.Sprintf("Project %s/%s could not be found", source.Project, source.Slug)
			return fault.Unprocessable(text).In(fault.Service)
		case refused.Status >= 400 && refused.Status != 401:
			text := fmt.Sprintf("Error %d: %s", refused.Status, refused.Message)
			return fault.BadRequest(text).In(fault.Service)
		case refused.Status == 0 || refused.Status == 200:
			return fault.BadRequest(refused.Message).In(fault.Service)
		}
	}
	return HostFault(err, "Bitbucket Server", "You don't have permissions to import this project")
}
