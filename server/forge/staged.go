package forge

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
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

// nextOf returns the documents of a kind after a key, in the order of their keys.
func (r *run) nextOf(ctx context.Context, kind, after string, most int) ([]staged, error) {
	return db.Many[staged](ctx, r.st, `
		select kind, key, number, document from forge_documents
		where project_id = @project and kind = @kind and key > @after order by key limit @most`,
		pgx.NamedArgs{"project": r.ProjectID, "kind": kind, "after": after, "most": most})
}

// partsNamed returns the document of a kind with a key, if there is one.
func (r *run) partsNamed(ctx context.Context, kind, key string) ([]staged, error) {
	return db.Many[staged](ctx, r.st, `
		select kind, key, number, document from forge_documents
		where project_id = @project and kind = @kind and key = @key`,
		pgx.NamedArgs{"project": r.ProjectID, "kind": kind, "key": key})
}

// nextPlaced returns the documents of a kind behind so many, in the order of their keys.
func (r *run) nextPlaced(ctx context.Context, kind string, behind, most int) ([]staged, error) {
	return db.Many[staged](ctx, r.st, `
		select kind, key, number, document from forge_documents
		where project_id = @project and kind = @kind order by key offset @behind limit @most`,
		pgx.NamedArgs{"project": r.ProjectID, "kind": kind, "behind": behind, "most": most})
}

// nextNumbered returns the documents of a kind after a number, in the order of their numbers.
func (r *run) nextNumbered(ctx context.Context, kind string, after, most int) ([]staged, error) {
	return db.Many[staged](ctx, r.st, `
		select kind, key, number, document from forge_documents
		where project_id = @project and kind = @kind and number > @after order by number limit @most`,
		pgx.NamedArgs{"project": r.ProjectID, "kind": kind, "after": after, "most": most})
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

// partsOf returns what belongs to issues or pull requests, by their numbers.
func (r *run) partsOf(ctx context.Context, list []staged, kinds ...string) (map[int]parts, error) {
	numbers := make([]int, len(list))
	all := map[int]parts{}
	for i, d := range list {
		numbers[i], all[d.Number] = d.Number, parts{}
	}
	found, err := db.Many[staged](ctx, r.st, `
		select kind, key, number, document from forge_documents
		where project_id = @project and kind = any(@kinds) and number = any(@numbers)
		order by kind, length(key), key`,
		pgx.NamedArgs{"project": r.ProjectID, "kinds": kinds, "numbers": numbers})
	for _, d := range found {
		all[d.Number][d.Kind] = append(all[d.Number][d.Kind], d.Document)
	}
	return all, err
}

// decodeAll decodes documents of one kind. This package has encoded them, so all of them decode.
func decodeAll[T any](list []json.RawMessage) []T {
	all := make([]T, len(list))
	for i, text := range list {
		_ = json.Unmarshal(text, &all[i])
	}
	return all
}
