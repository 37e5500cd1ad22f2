package api

import (
	"context"
	"strconv"

	"hew/server/code"
	codeapi "hew/server/code/api"
	"hew/server/fault"
	"hew/server/merge"
	"hew/server/policy"
	"hew/server/scope"
)

// allow sets whether those who may merge the merge request may push to its source branch, if pushes
// says that the caller may push there. Else it is ignored.
func (in requestFields) allow(r *merge.Request, pushes func() (bool, error)) error {
	asked := in.AllowCollaboration
	if !asked.Given() {
		asked = in.AllowMaintainer
	}
	if !asked.Given() || !r.FromFork() || r.SourceProjectID == nil {
		return nil
	}
	may, err := pushes()
	if err == nil && may {
		asked.Into(&r.AllowCollaboration)
	}
	return err
}

// pushesTo reports whether the caller may push to a branch of a project.
func pushesTo(ctx context.Context, s scope.InProject, branch string) (bool, error) {
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil {
		return false, err
	}
	return g.MayPush(ctx, s.Project.Project, codeapi.AuthorOf(s), branch)
}

// pushesToSource reports whether the caller has the role to push to the source branch of a merge
// request. Those whom the merge request lets push are not asked.
func pushesToSource(ctx context.Context, s InRequest, r merge.Request) (bool, error) {
	source, err := s.InProjectRef(ctx, strconv.FormatInt(*r.SourceProjectID, 10), policy.PushCode)
	switch c := fault.CodeOf(err); {
	case c == fault.CodeNotFound || c == fault.CodeForbidden:
		return false, nil
	case err != nil:
		return false, err
	}
	return pushesTo(ctx, source, r.SourceBranch)
}
