package ci

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/merge"
	"hew/server/protect"
	"hew/server/tree"
)

// surroundings is what other tables know of a pipeline, read by one statement.
type surroundings struct {
	Open         []string `db:"open"` // the merge requests of the branch
	Schedule     *string  `db:"schedule"`
	ReleaseName  *string  `db:"release_name"`
	ReleaseNotes *string  `db:"release_notes"`
	UpstreamID   *int64   `db:"upstream_id"`
	UpstreamIn   *int64   `db:"upstream_in"`
	Labels       []string `db:"labels"` // of the merge request
	Milestone    *string  `db:"milestone"`
	VersionID    *int64   `db:"version_id"`
	SourcePath   *string  `db:"source_path"`   // of the merge request's source project
	TriggerToken []byte   `db:"trigger_token"` // sealed
}

func (s subject) surroundings(ctx context.Context, st *db.Store) (surroundings, error) {
	args := pgx.NamedArgs{
		"project": s.ProjectID, "branch": "", "tag": "", "schedule": s.ScheduleID, "upstream": s.UpstreamJobID,
		"request": s.MergeRequestID, "trigger": s.TriggerID,
	}
	switch {
	case s.Tag:
		args["tag"] = s.Ref
	case s.Request != nil:
		args["branch"] = s.Request.SourceBranch
		if s.Request.SourceProjectID != nil {
			args["project"] = *s.Request.SourceProjectID
		}
	default:
		args["branch"] = s.Ref
	}
	return db.One[surroundings](ctx, st, "", `
		select array(select q.full_path || '!' || m.iid from merge_requests m join projects q on q.id = m.project_id
				where m.source_project_id = @project and m.source_branch = @branch and m.state = 'opened'
				order by m.id desc limit 4) as open,
			(select description from pipeline_schedules where id = @schedule) as schedule,
			(select sealed from pipeline_triggers where id = @trigger) as trigger_token,
			r.name as release_name, left(r.description, 1024) as release_notes,
			j.pipeline_id as upstream_id, j.project_id as upstream_in,
			array(select l.name from merge_request_labels i join labels l on l.id = i.label_id
				where i.merge_request_id = @request order by l.name) as labels,
			o.title as milestone, q.full_path as source_path,
			(select max(v.id) from merge_request_versions v where v.merge_request_id = m.id) as version_id
		from (select) one
		left join releases r on r.project_id = @project and r.tag = @tag
		left join jobs j on j.id = @upstream
		left join merge_requests m on m.id = @request
		left join milestones o on o.id = m.milestone_id
		left join projects q on q.id = m.source_project_id`, args)
}

// contextVariables adds what started the pipeline, and what there is around it.
func (s subject) contextVariables(ctx context.Context, st *db.Store, l *variableList) error {
	around, err := s.surroundings(ctx, st)
	if err != nil {
		return err
	}
	l.add("CI_PIPELINE_SOURCE", string(s.Source))
	created := s.CreatedAt
	if created.IsZero() {
		created = time.Now()
	}
	l.add("CI_PIPELINE_CREATED_AT", created.UTC().Format(time.RFC3339))
	if s.Name != nil {
		l.addIf("CI_PIPELINE_NAME", *s.Name)
	}
	if s.IID != 0 {
		l.add("CI_PIPELINE_IID", strconv.Itoa(s.IID))
	}
	if around.Schedule != nil {
		l.add("CI_PIPELINE_SCHEDULE_DESCRIPTION", *around.Schedule)
	}
	l.addTrue("CI_PIPELINE_TRIGGERED", s.TriggerID != nil)
	if around.TriggerToken != nil {
		token, err := ShortToken(st, Trigger{ID: *s.TriggerID, Sealed: around.TriggerToken})
		if err != nil {
			return err
		}
		l.add("CI_TRIGGER_SHORT_TOKEN", token)
	}
	l.addIf("CI_OPEN_MERGE_REQUESTS", strings.Join(around.Open, ","))
	if around.ReleaseName != nil {
		l.add("CI_RELEASE_NAME", *around.ReleaseName)
	}
	if around.ReleaseNotes != nil {
		l.add("CI_RELEASE_DESCRIPTION", *around.ReleaseNotes)
	}
	if around.UpstreamID != nil {
		l.addID("CI_UPSTREAM_PIPELINE_ID", *around.UpstreamID)
		l.addID("CI_UPSTREAM_PROJECT_ID", *around.UpstreamIn)
		l.addID("CI_UPSTREAM_JOB_ID", *s.UpstreamJobID)
	}
	if s.Request != nil {
		around.requestVariables(l)
	}
	return nil
}

// requestVariables adds what is known of the merge request.
func (a surroundings) requestVariables(l *variableList) {
	l.addIf("CI_MERGE_REQUEST_LABELS", strings.Join(a.Labels, ","))
	if a.Milestone != nil {
		l.add("CI_MERGE_REQUEST_MILESTONE", *a.Milestone)
	}
	if a.VersionID != nil {
		l.addID("CI_MERGE_REQUEST_DIFF_ID", *a.VersionID)
	}
	if a.SourcePath != nil {
		l.add("CI_MERGE_REQUEST_SOURCE_PROJECT_PATH", *a.SourcePath)
	}
}

// maxDescription is how many characters of a merge request's description jobs get.
const maxDescription = 2700

// requestVariables adds what the merge request itself says.
func (s subject) requestVariables(ctx context.Context, st *db.Store, l *variableList, site Site) error {
	r := s.Request
	l.addID("CI_MERGE_REQUEST_ID", r.ID)
	l.add("CI_MERGE_REQUEST_IID", strconv.Itoa(r.IID))
	l.add("CI_MERGE_REQUEST_REF_PATH", r.HeadRef())
	l.add("CI_MERGE_REQUEST_TITLE", r.Title)
	if r.Description != nil {
		text := []rune(*r.Description)
		l.add("CI_MERGE_REQUEST_DESCRIPTION_IS_TRUNCATED", strconv.FormatBool(len(text) > maxDescription))
		l.add("CI_MERGE_REQUEST_DESCRIPTION", string(text[:min(len(text), maxDescription)]))
	}
	l.addIf("CI_MERGE_REQUEST_ASSIGNEES", joinUsers(r.Assignees))
	l.add("CI_MERGE_REQUEST_DRAFT", strconv.FormatBool(r.Draft))
	l.add("CI_MERGE_REQUEST_SQUASH_ON_MERGE", strconv.FormatBool(r.Squash))
	l.addID("CI_MERGE_REQUEST_PROJECT_ID", r.ProjectID)
	l.add("CI_MERGE_REQUEST_PROJECT_PATH", r.Path)
	l.add("CI_MERGE_REQUEST_PROJECT_URL", site.Web(r.Path))
	l.add("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", r.SourceBranch)
	l.add("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", r.TargetBranch)
	kind, source, target := "detached", "", ""
	if !s.SourceHead.IsZero() {
		kind, source, target = "merged_result", s.SourceHead.String(), s.TargetHead.String()
	}
	l.add("CI_MERGE_REQUEST_EVENT_TYPE", kind)
	l.add("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA", source)
	l.add("CI_MERGE_REQUEST_TARGET_BRANCH_SHA", target)
	l.add("CI_MERGE_REQUEST_DIFF_BASE_SHA", r.Base.String())
	return s.reviewVariables(ctx, st, l, site)
}

// reviewVariables adds which branches are protected, the source project, and whether the merge
// request has its approvals.
func (s subject) reviewVariables(ctx context.Context, st *db.Store, l *variableList, site Site) error {
	r := s.Request
	at, err := protect.ReadProtection(ctx, st, r.ProjectID, protect.Pusher{})
	if err != nil {
		return err
	}
	l.add("CI_MERGE_REQUEST_TARGET_BRANCH_PROTECTED",
		strconv.FormatBool(at.Protects(protect.Branch, r.TargetBranch)))
	if r.SourceProjectID != nil {
		l.addID("CI_MERGE_REQUEST_SOURCE_PROJECT_ID", *r.SourceProjectID)
		if r.FromFork() {
			if at, err = protect.ReadProtection(ctx, st, *r.SourceProjectID, protect.Pusher{}); err != nil {
				return err
			}
		}
		l.add("CI_MERGE_REQUEST_SOURCE_BRANCH_PROTECTED",
			strconv.FormatBool(at.Protects(protect.Branch, r.SourceBranch)))
		if path, ok := l.value("CI_MERGE_REQUEST_SOURCE_PROJECT_PATH"); ok {
			l.add("CI_MERGE_REQUEST_SOURCE_PROJECT_URL", site.Web(path))
		}
	}
	target, err := tree.FindProject(ctx, st, r.ProjectID)
	if err != nil {
		return err
	}
	approved, _, err := merge.IsApproved(ctx, st, target, *r)
	l.addTrue("CI_MERGE_REQUEST_APPROVED", approved)
	return err
}

// value returns the value of a variable that was added.
func (l *variableList) value(key string) (value string, ok bool) {
	for _, v := range *l {
		if v.Key == key {
			value, ok = v.Value, true
		}
	}
	return value, ok
}

func joinUsers(list []tree.Person) string {
	names := make([]string, len(list))
	for n, p := range list {
		names[n] = p.Username
	}
	return strings.Join(names, ", ")
}
