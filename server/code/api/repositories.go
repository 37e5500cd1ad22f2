package api

import (
	"context"
	"math"
	"slices"

	"hew/server/code"
	"hew/server/fault"
	"hew/server/jobs"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
)

// repositories serves what is known about whole repositories, and their upkeep.
type repositories struct{}

func (a repositories) routes() []rest.Route {
	read := scope.ForProject(policy.ReadCode, "read_repository")
	return []rest.Route{
		rest.Get("/projects/{id}/repository/contributors", read, a.contributors),
		rest.Get("/projects/{id}/languages", read, a.languages),
		rest.Post("/projects/{id}/housekeeping", scope.ForProject(housekeepProject), a.housekeep),
	}
}

type contributorList struct {
	rest.Paging
	Ref     string `param:"ref" default:"HEAD"`
	OrderBy string `param:"order_by" default:"commits" oneof:"name email commits"`
	Sort    string `param:"sort" default:"asc" oneof:"asc desc"`
}

type contributorView struct {
	Name      string `json:"name"`
	Email     string `json:"email"`
	Commits   int    `json:"commits"`
	Additions int    `json:"additions"` // 0, as of the public API since it stopped to count
	Deletions int    `json:"deletions"`
}

func (a repositories) contributors(
	ctx context.Context, s scope.InProject, in contributorList,
) (rest.List[contributorView], error) {
	none := rest.List[contributorView]{}
	g, c, err := commitSHA{in.Ref}.find(ctx, s)
	if err != nil {
		return none, err
	}
	list, err := g.Contributors(ctx, c.ID)
	if err != nil {
		return none, err
	}
	slices.SortStableFunc(list, code.ContributorOrders[in.OrderBy])
	if in.Sort == "desc" {
		slices.Reverse(list)
	}
	return rest.PageOf(list, in.Paging, func(c code.Contributor) contributorView {
		return contributorView{Name: c.Name, Email: c.Email, Commits: c.Commits}
	}), nil
}

// languages answers how many percent of the bytes of the default branch each language has.
func (a repositories) languages(ctx context.Context, s scope.InProject, _ rest.None) (map[string]float64, error) {
	shares := map[string]float64{}
	g, c, err := commitSHA{"HEAD"}.find(ctx, s)
	if fault.CodeOf(err) == fault.CodeNotFound {
		return shares, nil
	}
	if err != nil {
		return nil, err
	}
	sizes, err := g.Languages(ctx, c)
	if err != nil {
		return nil, err
	}
	var all int64
	for _, size := range sizes {
		all += size
	}
	for language, size := range sizes {
		if size > 0 {
			shares[language] = math.Round(float64(size)/float64(all)*10000) / 100
		}
	}
	return shares, nil
}

type housekeeping struct {
	Task string `param:"task" default:"eager" oneof:"eager prune"`
}

func (a repositories) housekeep(ctx context.Context, s scope.InProject, in housekeeping) (rest.None, error) {
	g, err := code.Open(ctx, s.Store, s.Project.Project)
	if err != nil || g.ID == 0 {
		return rest.None{}, err
	}
	return rest.None{}, jobs.Enqueue(ctx, s.Store, code.Housekeeping{RepositoryID: g.ID, Task: code.Task(in.Task)})
}
