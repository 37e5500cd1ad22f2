package analytics

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"strings"

	"hew/server/ci/document"
	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/tree"
)

// funnelDir is where a project defines its funnels, one a file.
const funnelDir = ".gitlab/analytics/funnels"

// Limits of funnels.
const (
	maxFunnels     = 100      // of a project; further files are not read
	maxFunnelBytes = 64 << 10 // of a file
	maxSteps       = 32       // of a funnel, as many as windowFunnel takes
	maxWindow      = 1 << 31  // seconds, exclusive
)

// Funnel is a series of steps that users take within a time (transfer.md §7).
type Funnel struct {
	ProjectID        int64    `json:"project_id"`
	Name             string   `json:"name"` // a word of SQL: completed_purchase
	SecondsToConvert int64    `json:"seconds_to_convert"`
	Steps            []string `json:"steps"`  // conditions of SQL
	SQL              string   `json:"sql"`    // the query that a cube of this name selects from
	Schema           string   `json:"schema"` // the same, by its older name
}

// Funnels returns the funnels that the files of a project's default branch define, in the order of
// their files. A file that defines none completely is left out.
func Funnels(ctx context.Context, st *db.Store, p tree.Project) ([]Funnel, error) {
	funnels := []Funnel{}
	g, err := code.Open(ctx, st, p)
	if err != nil {
		return nil, err
	}
	files, err := g.ListTree(ctx, code.Listing{Revision: "HEAD", Path: funnelDir, Limit: maxFunnels})
	if err != nil {
		return funnels, fault.IgnoreNotFound(err)
	}
	var ids []object.ID
	for _, f := range files {
		if (f.Entry.Mode == object.ModeFile || f.Entry.Mode == object.ModeExecutable) && path.Ext(f.Path) == ".yaml" {
			ids = append(ids, f.Entry.ID)
		}
	}
	if err := g.Prefetch(ctx, ids); err != nil {
		return nil, err
	}
	for _, id := range ids {
		size, err := g.Size(ctx, id)
		if err != nil {
			return nil, err
		}
		if size > maxFunnelBytes {
			continue
		}
		content, err := g.Blob(ctx, id)
		if err != nil {
			return nil, err
		}
		if f, ok := readFunnel(content); ok {
			f.ProjectID = p.ID
			funnels = append(funnels, f)
		}
	}
	return funnels, nil
}

// funnelLimits hold the files of funnels to what definitions of pipelines are held to, on a smaller
// scale.
var funnelLimits = document.Limits{FileBytes: maxFunnelBytes, ParsedBytes: 4 * maxFunnelBytes, Depth: 10}

// readFunnel reads a file, and reports whether it defines a funnel.
func readFunnel(content []byte) (f Funnel, ok bool) {
	root, err := document.Parse("funnel", content, funnelLimits)
	if err != nil {
		return f, false
	}
	window, steps := root.Get("seconds_to_convert"), root.Get("steps")
	f.Name = slug(scalarText(root.Get("name")))
	if f.Name == "" || window == nil || window.Kind != document.Int || steps == nil {
		return f, false
	}
	f.SecondsToConvert = window.Int
	if window.Int < 1 || window.Int >= maxWindow || len(steps.Items) == 0 || len(steps.Items) > maxSteps {
		return f, false
	}
	for _, step := range steps.Items {
		target := scalarText(step.Get("target"))
		if scalarText(step.Get("name")) == "" || target == "" || scalarText(step.Get("action")) != "pageview" {
			return f, false
		}
		f.Steps = append(f.Steps, "doc_path = "+quote(target))
	}
	f.SQL = f.sql()
	f.Schema = f.SQL
	return f, true
}

// scalarText returns the text of a scalar, "" of anything else.
func scalarText(n *document.Node) string {
	if n == nil || n.Kind == document.Map || n.Kind == document.List || n.Kind == document.Reference {
		return ""
	}
	return strings.TrimSpace(n.ScalarText())
}

var notInName = regexp.MustCompile(`[^a-z0-9]+`)

// slug returns a name as a word of SQL.
func slug(name string) string {
	return strings.Trim(notInName.ReplaceAllString(strings.ToLower(name), "_"), "_")
}

// escapes are what ends a text of SQL, or of the templates of JavaScript that the engine puts the
// SQL into: a template takes escapes away, and what it leaves must still be quoted for SQL.
var escapes = strings.NewReplacer(
	`\`, `\\\\`, `'`, `''`, "`", `\x60`, `$`, `\x24`, "\n", `\n`, "\r", `\r`, "\x00", "",
)

// quote returns a text as one of SQL.
func quote(text string) string { return "'" + escapes.Replace(text) + "'" }

// sql returns the query that counts the users who reached each step.
func (f Funnel) sql() string {
	return fmt.Sprintf(`SELECT
  (SELECT max(utc_time) FROM jitsu) as x,
  arrayJoin(range(1, %d)) AS level,
  sumIf(c, user_level >= level) AS count
FROM
  (SELECT
     level AS user_level,
     count(*) AS c
   FROM (
       SELECT
         user_anonymous_id,
         windowFunnel(%d, 'strict_order')(toDateTime(utc_time),
           %s
         ) AS level
       FROM jitsu
       WHERE ${FILTER_PARAMS.%s.date.filter('utc_time')}
       GROUP BY user_anonymous_id
       )
   GROUP BY level
  )
GROUP BY level
ORDER BY level ASC
`, len(f.Steps)+1, f.SecondsToConvert, strings.Join(f.Steps, ",\n           "), f.Name)
}
