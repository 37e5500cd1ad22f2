package merge

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// isAboutCoverage reports whether the rule requires approvals only of changes that lower the test
// coverage.
func (r Rule) isAboutCoverage() bool {
	return r.RuleType == ReportApprover && r.ReportType != nil && *r.ReportType == "code_coverage"
}

// coveredOf returns those of the open merge requests, by id, whose pipelines lift the rules about
// coverage: the pipeline of the head is over, and covers at least what the last successful one of
// the target branch did (more §6.3). Where that one has no coverage, none can be lost. It asks for
// nothing unless one of the rules is about coverage.
func coveredOf(ctx context.Context, st *db.Store, rules []Rule, list ...Request) (map[int64]bool, error) {
	if !slices.ContainsFunc(rules, Rule.isAboutCoverage) {
		return nil, nil
	}
	ids := make([]int64, 0, len(list))
	for _, r := range list {
		if r.State == Opened {
			ids = append(ids, r.ID)
		}
	}
	const coverage = `(select avg(j.coverage) from jobs j where j.pipeline_id = l.id and not j.retried)`
	found, err := db.Values[int64](ctx, st, `
		select t.id
		from merge_requests t cross join lateral (
				select `+coverage+` as coverage from pipelines l
				where l.id = t.head_pipeline_id and coalesce(l.source_oid, l.commit_oid) = t.head_oid
					and l.status in ('success', 'failed', 'canceled', 'skipped')) head
			left join lateral (
				select `+coverage+` as coverage from pipelines l
				where l.project_id = t.project_id and l.ref = t.target_branch and not l.tag
					and l.merge_request_id is null and l.source <> 'parent_pipeline' and l.status = 'success'
				order by l.id desc limit 1) target on true
		where t.id = any(@ids) and (target.coverage is null or head.coverage >= target.coverage)`,
		pgx.NamedArgs{"ids": ids})
	covered := map[int64]bool{}
	for _, id := range found {
		covered[id] = true
	}
	return covered, err
}
