package code

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/tree"
)

// Changelog asks for the section of a version in a changelog: the commits that have a trailer.
type Changelog struct {
	Project tree.Project
	Version string    // 1.2.3, or v1.2.3
	From    string    // the revision before the first commit; "": the tag of the version before
	To      string    // the revision of the last one
	Date    time.Time // of the version
	Trailer string    // its value is the category of the commit
	Config  string    // the path of the configuration
}

// changelogProblem returns the fault of a changelog that cannot be made.
func changelogProblem(text string) error {
	return fault.Unprocessable("Failed to generate the changelog: " + text)
}

// Notes returns the section of the version in Markdown, which ends with an empty line.
func (c Changelog) Notes(ctx context.Context, st *db.Store) (string, error) {
	g, err := Open(ctx, st, c.Project)
	if err != nil {
		return "", err
	}
	if !changelogVersion.MatchString(c.Version) {
		return "", changelogProblem("The requested `version` attribute format is not correct. " +
			"Use formats such as `1.0.0` or `v1.0.0`.")
	}
	config, err := g.readChangelogConfig(ctx, c.Config)
	if err != nil {
		return "", err
	}
	if c.From == "" {
		if c.From, err = g.tagBefore(ctx, c.Version, config.tag); err != nil {
			return "", err
		}
	}
	commits, err := g.changelogCommits(ctx, c)
	if err != nil {
		return "", err
	}
	categories, err := g.changelogData(ctx, c, config, commits)
	if err != nil {
		return "", err
	}
	var out templateOutput
	if err := out.render(config.template, map[string]any{"categories": categories}); err != nil {
		return "", err
	}
	text := strings.TrimSpace(out.String())
	return fmt.Sprintf("## %s (%s)\n\n%s\n\n", c.Version, config.formatDate(c.Date), text), nil
}

// tagBefore returns the full name of the tag of the newest version that is older than a version and
// not a candidate.
func (g *Git) tagBefore(ctx context.Context, version string, tag *regexp.Regexp) (string, error) {
	refs, err := g.Refs(ctx, g.st, Tags)
	if err != nil {
		return "", err
	}
	asked := numbersOf(changelogVersion, version)
	best, found := "", ""
	for _, r := range refs {
		m := tag.FindStringSubmatch(r.Short())
		if i := tag.SubexpIndex("pre"); m == nil || i > 0 && m[i] != "" {
			continue
		}
		v := numbersOf(tag, r.Short())
		if v != "" && compareVersions(v, asked) < 0 && (best == "" || compareVersions(v, best) > 0) {
			best, found = v, r.Name
		}
	}
	if found == "" {
		return "", changelogProblem("The commit start range is unspecified, " +
			"and no previous tag could be found to use instead")
	}
	return found, nil
}

// numbersOf returns the numbers of a version that an expression captures, as 1.2.3, or "" if it
// captures none.
func numbersOf(re *regexp.Regexp, text string) string {
	m := re.FindStringSubmatch(text)
	var numbers []string
	for _, name := range []string{"major", "minor", "patch"} {
		i := re.SubexpIndex(name)
		if m == nil || i < 0 || m[i] == "" {
			return ""
		}
		numbers = append(numbers, m[i])
	}
	return strings.Join(numbers, ".")
}

// reverted matches the line that git adds to the message of a revert.
var reverted = regexp.MustCompile(`(?mi)^This reverts commit ([0-9a-f]{40})`)

// changelogBatch is how many commits are read at once, of maxChangelog at most.
const changelogBatch, maxChangelog = 1000, 15_000

// changelogCommits returns the commits of a changelog, newest first, without those that a later one
// reverts.
func (g *Git) changelogCommits(ctx context.Context, c Changelog) (list []Commit, err error) {
	f := LogFilter{}
	if f.From, f.Not, err = g.changelogEnds(ctx, c); err != nil {
		return nil, err
	}
	seq, err := g.walk(ctx, f)
	if err != nil {
		return nil, err
	}
	gone := map[string]bool{}
	var all []object.ID
	for id := range seq {
		if all = append(all, id); len(all) > maxChangelog {
			return nil, changelogProblem(fmt.Sprintf("it covers more than %d commits; begin at a later one (from)",
				maxChangelog))
		}
	}
	for ids := range slices.Chunk(all, changelogBatch) {
		commits, err := g.Commits(ctx, ids)
		if err != nil {
			return nil, err
		}
		for _, commit := range commits {
			if gone[commit.ID.String()] {
				continue
			}
			if m := reverted.FindStringSubmatch(commit.Message); m != nil {
				gone[strings.ToLower(m[1])] = true
			}
			if trailerOf(commit, c.Trailer) != "" {
				list = append(list, commit)
			}
		}
	}
	return list, nil
}

// changelogEnds returns the commits that a changelog begins at, and before which it ends.
func (g *Git) changelogEnds(ctx context.Context, c Changelog) (from, not []object.ID, err error) {
	last, err := g.Resolve(ctx, "Commit", c.To)
	if err != nil {
		return nil, nil, err
	}
	first, err := g.Resolve(ctx, "Commit", c.From)
	return []object.ID{last}, []object.ID{first}, err
}

// trailerOf returns the value of a trailer of a commit, the last one if it has several.
func trailerOf(c Commit, key string) (value string) {
	for _, t := range object.Trailers(c.Message) {
		if t.Key == key {
			value = t.Value
		}
	}
	return value
}

// changelogAuthor is the user who is the author of commits.
type changelogAuthor struct {
	Email    string `db:"email"`
	Username string `db:"username"`
	Credit   bool   `db:"credit"` // is a member of one of the configured groups
}

// changelogAuthors returns the users with the addresses of the authors, by address. Groups count if
// everybody sees them or if they are above the project.
func (g *Git) changelogAuthors(
	ctx context.Context, p tree.Project, groups []string, commits []Commit,
) (map[string]changelogAuthor, error) {
	emails := make([]string, len(commits))
	for i, c := range commits {
		emails[i] = strings.ToLower(c.AuthorEmail)
	}
	rows, err := db.Many[changelogAuthor](ctx, g.st, `
		select lower(u.email) as email, u.username, exists (
		    select from members m join namespaces n on n.id = m.namespace_id
		    where m.user_id = u.id and `+tree.Live+` and n.full_path = any(@groups)
		      and (n.visibility = @public or n.id = any(@above))) as credit
		from users u where lower(u.email) = any(@emails)`,
		pgx.NamedArgs{"emails": emails, "groups": groups, "public": db.Public, "above": p.NamespaceIDs})
	authors := make(map[string]changelogAuthor, len(rows))
	for _, a := range rows {
		authors[a.Email] = a
	}
	return authors, err
}

// changelogData returns what the template of a changelog gets: commits by the title of their
// category, the configured ones first.
func (g *Git) changelogData(
	ctx context.Context, c Changelog, config changelogConfig, commits []Commit,
) ([]any, error) {
	authors, err := g.changelogAuthors(ctx, c.Project, config.groups, commits)
	if err != nil {
		return nil, err
	}
	titles, entries := slices.Clone(config.titles), map[string][]any{}
	for _, commit := range commits {
		title := trailerOf(commit, c.Trailer)
		if mapped, ok := config.categories[title]; ok {
			title = mapped
		}
		trailers := map[string]any{}
		for _, t := range object.Trailers(commit.Message) {
			trailers[t.Key] = t.Value
		}
		entry := map[string]any{"title": commit.Title(), "commit": map[string]any{
			"reference": c.Project.FullPath + "@" + commit.ID.String(), "trailers": trailers,
		}}
		if a, ok := authors[strings.ToLower(commit.AuthorEmail)]; ok {
			entry["author"] = map[string]any{
				"reference": "@" + a.Username, "contributor": false, // until there are merge requests
				"credit": a.Credit,
			}
		}
		titles = append(titles, title)
		entries[title] = append(entries[title], entry)
	}
	var categories []any
	for _, title := range titles {
		list := entries[title]
		if len(list) == 0 {
			continue
		}
		categories = append(categories, map[string]any{
			"title": title, "count": len(list), "single_change": len(list) == 1, "entries": list,
		})
		delete(entries, title)
	}
	return categories, nil
}
