package api

import (
	"context"
	"strconv"

	"hew/server/fault"
	"hew/server/forge"
	"hew/server/part"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
)

// imports are the routes of imports from other hosts (spec 1 §2.9, §4.7, gaps §12.3). Each has the
// name of the specification and that of the public service.
type imports struct{ part.Host }

func (a imports) routes() (list []rest.Route) {
	user := scope.ForSigned()
	for _, path := range []string{"/import/forge", "/import/github"} {
		list = append(list,
			rest.Post(path, user, a.createGitHub).WithoutTransaction().Timeout(createTime),
			rest.Post(path+"/cancel", user, a.cancel).Status(200))
	}
	for _, path := range []string{"/import/forge_server", "/import/bitbucket_server"} {
		list = append(list, rest.Post(path, user, a.createBitbucket).WithoutTransaction().Timeout(createTime))
	}
	return list
}

// importView is the record of an import from another host.
type importView struct {
	ID                    int64   `json:"id"`
	Name                  string  `json:"name"`
	FullPath              string  `json:"full_path"` // as in addresses: /acme/site
	FullName              string  `json:"full_name"`
	RefsURL               string  `json:"refs_url"`
	Forked                bool    `json:"forked"`
	ImportSource          string  `json:"import_source"`
	ImportStatus          string  `json:"import_status"`
	HumanImportStatusName string  `json:"human_import_status_name"`
	ProviderLink          string  `json:"provider_link"`
	RelationType          *string `json:"relation_type"`  // none: it is about repositories of a list
	ImportWarning         *string `json:"import_warning"` // likewise
}

func (a imports) viewOf(p tree.Project, repository string) importView {
	simple := a.SimpleProject(p)
	return importView{
		ID: p.ID, Name: p.Name, FullPath: "/" + p.FullPath, FullName: simple.NameWithNamespace,
		RefsURL: "/" + p.FullPath + "/refs", ImportSource: repository, ImportStatus: p.ImportStatus,
		HumanImportStatusName: p.ImportStatus, ProviderLink: "/" + repository,
	}
}

type importCancel struct {
	ProjectID int64 `param:"project_id,required"`
}

func (a imports) cancel(ctx context.Context, s scope.Signed, in importCancel) (importView, error) {
	found, err := scope.FindProject(ctx, s.Anyone, strconv.FormatInt(in.ProjectID, 10))
	switch {
	case fault.CodeOf(err) == fault.CodeNotFound, err == nil && !found.Can(policy.ReadProject):
		return importView{}, fault.NoRecord()
	case err != nil:
		return importView{}, err
	case !found.Can(cancelImport):
		return importView{}, fault.Forbidden("Unauthorized access").In(fault.Text)
	}
	p, repository, err := forge.Cancel(ctx, s.Store, found.Project.Project)
	return a.viewOf(p, repository), err
}
