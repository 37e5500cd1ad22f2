package ci

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"hew/schema/catalogue"
	"hew/server/ci/definition"
	"hew/server/ci/expression"
	"hew/server/db"
)

// jobNames are the names in the definition of a job with the variables in them replaced.
type jobNames struct {
	group, environment, tier, url string
	tags                          []string
}

// expandNames replaces the variables in the names that jobs have in the database.
func (c *creation) expandNames(jobs []*definition.Job) error {
	c.names = make(map[*definition.Job]jobNames, len(jobs))
	for _, j := range jobs {
		names := jobNames{tags: j.Tags, group: j.ResourceGroup}
		if j.Environment != nil {
			names.environment, names.tier = j.Environment.Name, j.Environment.DeploymentTier
			names.url = j.Environment.URL
		}
		text := names.group + names.environment + names.url + strings.Join(names.tags, "")
		if j.Environment != nil {
			text += j.Environment.AutoStopIn
		}
		if strings.ContainsAny(text, "$%") {
			if err := c.expandJob(j, &names); err != nil {
				return err
			}
		}
		c.names[j] = names
	}
	return nil
}

// expandJob replaces the variables in the names of one job.
func (c *creation) expandJob(j *definition.Job, names *jobNames) error {
	lookup, err := c.lookup(j, "")
	if err != nil {
		return err
	}
	if names.environment != "" {
		names.environment = expression.Expand(names.environment, lookup)
		if lookup, err = c.lookup(j, names.environment); err != nil {
			return err
		}
		of := *j.Environment
		of.AutoStopIn = expression.Expand(of.AutoStopIn, lookup)
		if !isEnvironment(names.environment) {
			of.Name = names.environment // by which the job fails when its turn comes
		}
		j.Environment = &of
	}
	names.group = expression.Expand(names.group, lookup)
	names.url = expression.ExpandKnown(names.url, withEnvironment(lookup, names.environment))
	names.tags = slices.Clone(names.tags)
	for n, tag := range names.tags {
		names.tags[n] = expression.ExpandKnown(tag, lookup)
	}
	return nil
}

// withEnvironment returns the lookup with the variables of an environment, by which its address may
// be made.
func withEnvironment(lookup expression.Lookup, name string) expression.Lookup {
	return func(key string) (string, bool) {
		switch key {
		case "CI_ENVIRONMENT_NAME":
			return name, true
		case "CI_ENVIRONMENT_SLUG":
			return slugOf(name), true
		}
		return lookup(key)
	}
}

// lookup returns the variables of a job in an environment, with those in their values replaced.
func (c *creation) lookup(j *definition.Job, environment string) (expression.Lookup, error) {
	list := slices.Concat(
		c.predefined, j.Predefined(), j.Variables, c.stored.For(environment).Plain(), c.Variables,
	)
	list, err := expression.Resolve(list, expression.ForServer)
	if err != nil {
		return nil, invalid(j.Name + ": " + err.Error())
	}
	return expression.Values(list), nil
}

// places are the rows that jobs refer to, by their names.
type places struct {
	creation             *creation
	groups, environments map[string]int64
}

// places makes the resource groups and environments of jobs that do not exist yet.
func (c *creation) places(ctx context.Context, st *db.Store, jobs []*definition.Job) (p places, err error) {
	var groups, environments, slugs, tiers []string
	for _, j := range jobs {
		names := c.names[j]
		if fits(names.group) {
			groups = append(groups, names.group)
		}
		if isEnvironment(names.environment) && !slices.Contains(environments, names.environment) {
			row := NewEnvironment(c.Project.ID, names.environment)
			if names.tier != "" {
				row.Tier = names.tier
			}
			environments, slugs = append(environments, row.Name), append(slugs, row.Slug)
			tiers = append(tiers, row.Tier)
		}
	}
	p = places{creation: c}
	if p.groups, err = provide(ctx, st, `
		insert into resource_groups (project_id, key, process_mode)
		select distinct @project::bigint, g.key, @mode::text from unnest(@groups::text[]) g (key) order by g.key
		on conflict do nothing`, `
		select id, key as name from resource_groups where project_id = @project and key = any(@groups)`,
		groups, pgx.NamedArgs{
			"project": c.Project.ID, "groups": groups, "mode": c.Project.Settings.ResourceGroupProcessMode,
		}); err != nil {
		return p, err
	}
	p.environments, err = provide(ctx, st, `
		insert into environments (project_id, name, slug, tier)
		select @project::bigint, e.name, e.slug, e.tier from unnest(@names::text[], @slugs::text[], @tiers::text[])
			e (name, slug, tier) order by e.name
		on conflict do nothing`, `
		select id, name from environments where project_id = @project and name = any(@names)`,
		environments, pgx.NamedArgs{"project": c.Project.ID, "names": environments, "slugs": slugs, "tiers": tiers})
	return p, err
}

// isEnvironment reports whether there can be an environment of a name. Jobs with another one fail.
func isEnvironment(name string) bool { return fits(name) && catalogue.IsEnvironmentName(name) }

// fits reports whether a name can be one of a resource group. Jobs whose names cannot are without.
func fits(name string) bool { return name != "" && utf8.RuneCountInString(name) <= 255 }

// provide makes the rows of names that do not exist, and returns the id of each.
func provide(
	ctx context.Context, st *db.Store, insert, find string, names []string, args pgx.NamedArgs,
) (map[string]int64, error) {
	if len(names) == 0 {
		return nil, nil
	}
	if err := st.Exec(ctx, insert, args); err != nil {
		return nil, err
	}
	rows, err := db.Many[struct {
		ID   int64  `db:"id"`
		Name string `db:"name"`
	}](ctx, st, find, args)
	ids := make(map[string]int64, len(rows))
	for _, r := range rows {
		ids[r.Name] = r.ID
	}
	return ids, err
}

// place gives a job the rows that its names stand for, its tags, and its time limit.
func (p places) place(j *definition.Job, row *Job) {
	names := p.creation.names[j]
	if id, ok := p.groups[names.group]; ok {
		row.ResourceGroupID = &id
	}
	if id, ok := p.environments[names.environment]; ok {
		row.EnvironmentID = &id
	}
	row.Tags = names.tags
	if names.url != "" {
		row.EnvironmentURL = &names.url
	}
	if row.Timeout == nil {
		row.Timeout = new(p.creation.Project.Settings.BuildTimeout)
	}
}
