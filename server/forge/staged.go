package forge

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/project"
)

// The kinds of documents.
const (
	kindLabel        = "label"
	kindMilestone    = "milestone"
	kindRelease      = "release"
	kindIssue        = "issue"
	kindPullIssue    = "pull_request_issue" // a pull request as lists of issues show it
	kindPull         = "pull_request"
	kindMergedBy     = "pull_request_merged_by"
	kindReviewers    = "pull_request_review_request"
	kindReview       = "pull_request_review"
	kindNote         = "note"
	kindDiffNote     = "diff_note"
	kindEvent        = "issue_event"
	kindCollaborator = "collaborator"
	kindOutside      = "outside_collaborator" // who does not become a member
	kindBranch       = "branch"
	kindProtection   = "protected_branch"
	kindActivity     = "activity" // of pull requests of the Bitbucket Server kind
	kindUser         = "user"
)

// staged is a document as it is stored.
type staged struct {
	Kind     string          `db:"kind"`
	Key      string          `db:"key"`
	Number   int             `db:"number"`
	Document json.RawMessage `db:"document"`
}

// stagedOf returns the documents of a kind that further conditions select, in the order that they
// say.
func (r *run) stagedOf(ctx context.Context, kind, conditions string, args pgx.NamedArgs) ([]staged, error) {
	args["project"], args["kind"] = r.ProjectID, kind
	return db.Many[staged](ctx, r.st, `
		select kind, key, number, document from forge_documents where project_id = @project and kind = @kind
		`+conditions, args)
}

// nextOf returns the documents of a kind after a key, in the order of their keys.
func (r *run) nextOf(ctx context.Context, kind, after string, most int) ([]staged, error) {
	return r.stagedOf(ctx, kind, `and key > @after order by key limit @most`,
		pgx.NamedArgs{"after": after, "most": most})
}

// partsNamed returns the document of a kind with a key, if there is one.
func (r *run) partsNamed(ctx context.Context, kind, key string) ([]staged, error) {
	return r.stagedOf(ctx, kind, `and key = @key`, pgx.NamedArgs{"key": key})
}

// nextNumbered returns the documents of a kind after a number, in the order of their numbers.
func (r *run) nextNumbered(ctx context.Context, kind string, after, most int) ([]staged, error) {
	return r.stagedOf(ctx, kind, `and number > @after order by number limit @most`,
		pgx.NamedArgs{"after": after, "most": most})
}

// nextPlaced returns the documents of a kind behind so many, in the order of their keys: those that
// have about storeBytes together, but at least one, if there is one.
func (r *run) nextPlaced(ctx context.Context, kind string, behind, most int) ([]staged, error) {
	return db.Many[staged](ctx, r.st, `
		with next as (
			select kind, key, number, document, octet_length(document::text) as size from forge_documents
			where project_id = @project and kind = @kind order by key offset @behind limit @most)
		select kind, key, number, document
		from (select *, sum(size) over (order by key) - size as before from next) n
		where before < @bytes order by key`,
		pgx.NamedArgs{"project": r.ProjectID, "kind": kind, "behind": behind, "most": most, "bytes": storeBytes})
}

// countFitting returns how many of the documents of a kind after a number are stored at once: those
// that have at most storeBytes together with their parts, but at least one, if there is one.
func (r *run) countFitting(ctx context.Context, kind string, after int, parts []string) (int, error) {
	sizes, err := db.Values[int64](ctx, r.st, `
		select octet_length(d.document::text) + coalesce((
			select sum(octet_length(p.document::text)) from forge_documents p
			where p.project_id = d.project_id and p.kind = any(@parts) and p.number = d.number), 0)::bigint
		from forge_documents d
		where d.project_id = @project and d.kind = @kind and d.number > @after order by d.number limit @most`,
		pgx.NamedArgs{"project": r.ProjectID, "kind": kind, "after": after, "parts": parts, "most": storeBatch})
	n := 0
	for total := int64(0); n < len(sizes); n++ {
		if total += sizes[n]; total > storeBytes && n > 0 {
			break
		}
	}
	return n, err
}

// parts are the documents that belong to an issue or pull request, by kind, in the order in which
// the host made them.
type parts map[string][]json.RawMessage

// maxPartBytes is how many bytes of what belongs to one issue or pull request are stored.
const maxPartBytes = 64 << 20

// partsOf returns what belongs to issues or pull requests, by their numbers. What is too large
// together with what comes before it is left out, and noted down.
func (r *run) partsOf(ctx context.Context, list []staged, kinds ...string) (map[int]parts, error) {
	numbers := make([]int, len(list))
	all := map[int]parts{}
	for i, d := range list {
		numbers[i], all[d.Number] = d.Number, parts{}
	}
	most := cmp.Or(r.maxParts, maxPartBytes)
	found, err := db.Many[staged](ctx, r.st, `
		select kind, key, number, case when total <= @most then document end as document from (
			select kind, key, number, document, sum(octet_length(document::text))
			       over (partition by number order by kind, length(key), key) as total
			from forge_documents
			where project_id = @project and kind = any(@kinds) and number = any(@numbers)) d
		order by kind, length(key), key`,
		pgx.NamedArgs{"project": r.ProjectID, "kinds": kinds, "numbers": numbers, "most": most})
	if err != nil {
		return nil, err
	}
	cut := map[int]bool{}
	for _, d := range found {
		if d.Document == nil {
			cut[d.Number] = true
			continue
		}
		all[d.Number][d.Kind] = append(all[d.Number][d.Kind], d.Document)
	}
	for _, n := range slices.Sorted(maps.Keys(cut)) {
		f := r.failure("notes", n, fmt.Errorf("the comments and events of number %d have more than %d MiB: the rest is "+
			"left out", n, most>>20))
		if err := r.loads.Step(ctx, fmt.Sprint("parts of ", n), func(st *db.Store) error {
			return project.AddImportFailure(ctx, st, f)
		}); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// decodeAll decodes documents of one kind. This package has encoded them, so all of them decode.
func decodeAll[T any](list []json.RawMessage) []T {
	all := make([]T, len(list))
	for i, text := range list {
		_ = json.Unmarshal(text, &all[i])
	}
	return all
}
