package load

import (
	"context"
	"math"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/transfer/archive"
)

// storePipelines stores pipelines that have ended, with their jobs.
func storePipelines(ctx context.Context, b *batch, documents []Document) error {
	var iids []int64
	named := 0 // the highest number that a document has
	for _, d := range documents {
		p, ok := d.Value.(*archive.Pipeline)
		if ok && p.MergeRequest != nil {
			iids = append(iids, p.MergeRequest.IID)
		}
		if ok && p.IID != nil {
			if iid, err := number(*p.IID); err == nil {
				named = max(named, iid)
			}
		}
	}
	requests, err := db.Many[struct {
		ID  int64 `db:"id"`
		IID int64 `db:"iid"`
	}](ctx, b.st, `select id, iid from merge_requests where project_id = @project and iid = any(@iids::bigint[])`,
		pgx.NamedArgs{"project": b.project.ID, "iids": iids})
	if err != nil {
		return err
	}
	byIID := map[int64]int64{}
	for _, r := range requests {
		byIID[r.IID] = r.ID
	}
	last, err := db.Value[int](ctx, b.st, `select coalesce(max(iid), 0) from pipelines where project_id = @project`,
		pgx.NamedArgs{"project": b.project.ID})
	if err != nil {
		return err
	}
	if err := b.reserve(ctx, "pipelines", len(documents)); err != nil {
		return err
	}
	last = max(last, named) // those without a number come after the others
	return each(b, documents, func(d Document, p *archive.Pipeline) error {
		if p.IID == nil {
			last++
			return b.addPipeline(p, last, byIID)
		}
		iid, err := number(*p.IID)
		if err != nil {
			return err
		}
		return b.addPipeline(p, iid, byIID)
	})
}

// addPipeline adds the rows of a pipeline.
func (b *batch) addPipeline(p *archive.Pipeline, iid int, requests map[int64]int64) error {
	commit := oid(&p.SHA)
	switch {
	case commit == nil:
		return invalid("sha: is not the id of a commit")
	case p.Ref == nil || *p.Ref == "":
		return invalid("ref: can't be blank")
	}
	id := b.take("pipelines")
	created, updated := span(p.CreatedAt, p.UpdatedAt)
	var request any
	if p.MergeRequest != nil {
		if found := requests[p.MergeRequest.IID]; found != 0 {
			request = found
		}
	}
	var name any
	if p.Metadata != nil && p.Metadata.Name != nil {
		name = cut(*p.Metadata.Name)
	}
	r := row{
		"id": id, "project_id": b.project.ID, "iid": iid, "status": ended(p.Status), "source": "push", "ref": *p.Ref,
		"tag": p.Tag, "commit_oid": commit, "before_oid": oid(p.BeforeSHA), "source_oid": oid(p.SourceSHA),
		"target_oid": oid(p.TargetSHA), "user_id": b.user(p.UserID), "name": name, "yaml_errors": text(p.YAMLErrors),
		"failure_reason": nil, "protected": p.Protected != nil && *p.Protected, "merge_request_id": request,
		"config_source": nil, "cancel_older": "conservative", "cancel_on_failure": false, "followed": false,
		"created_at": created, "updated_at": updated, "started_at": p.StartedAt,
		"finished_at": timeOr(p.FinishedAt, updated), "committed_at": p.CommittedAt, "duration": seconds(p.Duration),
		"queued_duration": seconds(p.QueuedDuration),
	}
	if p.Source != nil {
		r["source"] = sourceOf(*p.Source)
	}
	if p.FailureReason != nil && r["status"] == "failed" {
		r["failure_reason"] = text(p.FailureReason)
	}
	b.add("pipelines", r)
	b.iids["pipeline"] = max(b.iids["pipeline"], iid)
	for n, s := range p.Stages {
		index := n
		if s.Position != nil && *s.Position >= 0 && *s.Position <= math.MaxInt32 {
			index = *s.Position
		}
		b.addJobs(id, s, index, "build", s.Builds)
		b.addJobs(id, s, index, "bridge", s.Bridges)
		b.addJobs(id, s, index, "external", s.External)
		b.addJobs(id, s, index, "", s.Statuses)
	}
	return nil
}

// sources are the sources of pipelines by their numbers in older archives.
var sources = map[archive.Word]string{
	"1": "push", "2": "web", "3": "trigger", "4": "schedule", "5": "api", "6": "external", "7": "pipeline",
	"8": "chat", "9": "webide", "10": "merge_request_event", "11": "external_pull_request_event", "12": "parent_pipeline",
}

// sourceOf returns what a pipeline was made by.
func sourceOf(w archive.Word) string {
	if word, ok := sources[w]; ok {
		return word
	}
	for _, word := range sources {
		if string(w) == word {
			return word
		}
	}
	return "push"
}

// ended returns the status of something that cannot run here any more (transfer.md §1.3).
func ended(status archive.Word) any {
	return oneOf(status, "canceled", "success", "failed", "canceled", "skipped")
}

// addJobs adds the jobs of a stage. An empty kind is that of the job's type.
func (b *batch) addJobs(pipeline int64, s archive.Stage, index int, kind string, list []archive.Job) {
	for _, j := range list {
		if j.Name == "" {
			continue
		}
		created, updated := span(j.CreatedAt, j.UpdatedAt)
		is := kind
		if is == "" {
			is = map[string]string{archive.Bridge: "bridge", archive.ExternalStatus: "external"}[j.Type]
		}
		if is == "" {
			is = "build"
		}
		r := row{
			"project_id": b.project.ID, "pipeline_id": pipeline, "kind": is, "name": cut(j.Name),
			"stage": cut(s.Name), "stage_index": index, "status": ended(j.Status), "starts": "on_success",
			"allow_failure": j.AllowFailure, "by_needs": false, "needs": []string{},
			"retried": j.Retried != nil && *j.Retried, "retries": 0, "interruptible": false, "protected": false,
			"tags": []string{}, "user_id": b.user(j.UserID), "graceful": false, "failure_reason": nil, "coverage": nil,
			"description": nil, "target_url": nil, "trace_size": 0, "debug_trace": false, "queued_at": j.QueuedAt,
			"started_at": j.StartedAt, "finished_at": timeOr(j.FinishedAt, updated), "created_at": created,
			"updated_at": updated,
		}
		if j.When != nil {
			r["starts"] = oneOf(*j.When, "on_success", "on_failure", "always", "manual", "delayed")
		}
		if j.FailureReason != nil && r["status"] == "failed" {
			r["failure_reason"] = text(j.FailureReason)
		}
		if j.Coverage != nil && !math.IsNaN(*j.Coverage) && !math.IsInf(*j.Coverage, 0) {
			r["coverage"] = *j.Coverage
		}
		if j.Description != nil {
			r["description"] = cut(*j.Description)
		}
		if j.TargetURL != nil && len(*j.TargetURL) <= 255 && hasScheme(*j.TargetURL) {
			r["target_url"] = *j.TargetURL
		}
		b.add("jobs", r)
	}
}

// storeSchedules stores schedules. They are inactive, and the importer's (transfer.md §1.3).
func storeSchedules(_ context.Context, b *batch, documents []Document) error {
	return each(b, documents, func(_ Document, s *archive.Schedule) error {
		if s.Description == "" || len([]rune(s.Description)) > 255 {
			return invalid("description: can't be blank or longer than 255 characters")
		}
		if s.Ref == "" || s.Cron == "" || len(s.Cron) > 255 {
			return invalid("ref and cron: can't be blank")
		}
		zone := s.CronTimezone
		if _, err := time.LoadLocation(zone); err != nil || zone == "" || zone == "Local" {
			zone = "UTC"
		}
		created, updated := span(s.CreatedAt, s.UpdatedAt)
		b.add("pipeline_schedules", row{
			"project_id": b.project.ID, "owner_id": b.Importer.ID, "description": s.Description, "ref": s.Ref,
			"cron": s.Cron, "cron_timezone": zone, "active": false, "created_at": created, "updated_at": updated,
		})
		return nil
	})
}

// cut returns at most 255 characters of a text.
func cut(text string) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), 255)])
}

// seconds returns a duration, null if it is none.
func seconds(n *int) any {
	if n == nil || *n < 0 || *n > math.MaxInt32 {
		return nil
	}
	return *n
}
