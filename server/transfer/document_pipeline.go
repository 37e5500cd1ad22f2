package transfer

// pipelineColumns are the columns of a Pipeline. Its definition, its variables and what its jobs
// wrote stay here.
var pipelineColumns = `t.iid, t.ref, ` + hexOf("t.commit_oid") + ` as sha, ` + hexOf("t.before_oid") + ` as before_sha,
	` + hexOf("t.source_oid") + ` as source_sha, ` + hexOf("t.target_oid") + ` as target_sha, t.tag, t.status, t.source,
	t.config_source, t.failure_reason, t.protected, t.yaml_errors, t.user_id, t.duration, t.created_at, t.updated_at,
	t.started_at, t.finished_at, t.committed_at, t.queued_duration,
	` + list(`s.name, s.position, s.status, s.created_at, s.updated_at, `+jobsOf("build")+` as builds,
		`+jobsOf("bridge")+` as bridges, `+jobsOf("external")+` as generic_commit_statuses`,
	`from (select j.stage as name, j.stage_index as position, min(j.created_at) as created_at,
			max(j.updated_at) as updated_at, `+stageStatus+` as status
		from jobs j where j.pipeline_id = t.id group by j.stage, j.stage_index) s order by s.position, s.name`) + ` as stages,
	(select json_build_object('iid', m.iid) from merge_requests m where m.id = t.merge_request_id) as merge_request,
	case when t.name is not null then json_build_object('name', t.name) end as pipeline_metadata`

// stageStatus is the state of the jobs j of a stage together, as far as they have ended.
const stageStatus = `case
	when bool_or(j.status not in ('success', 'failed', 'canceled', 'skipped') and not j.retried) then 'running'
	when bool_or(j.status = 'failed' and not j.allow_failure and not j.retried) then 'failed'
	when bool_or(j.status = 'canceled' and not j.allow_failure and not j.retried) then 'canceled'
	when bool_and(j.status = 'skipped' or j.retried) then 'skipped'
	else 'success' end`

// jobsOf returns the list of the jobs of a kind in the stage s.
func jobsOf(kind string) string {
	names := map[string]string{"build": "Ci::Build", "bridge": "Ci::Bridge", "external": "GenericCommitStatus"}
	return list(`j.name, '`+names[kind]+`' as type, j.status, j.stage_index as stage_idx, t.ref, t.tag, j.allow_failure,
		j.failure_reason, j.coverage, j.description, j.target_url, j.starts as "when", j.retried, j.user_id, j.created_at,
		j.updated_at, j.queued_at, j.started_at, j.finished_at, j.erased_at`,
		`from jobs j where j.pipeline_id = t.id and j.stage = s.name and j.stage_index = s.position
			and j.kind = '`+kind+`' order by j.id`)
}

const scheduleColumns = `t.description, t.ref, t.cron, t.cron_timezone, t.active, t.next_run_at, t.owner_id, t.created_at,
	t.updated_at`

// accessLevels returns the list of those who may do an act on a protected ref. Deploy keys stay
// here.
func accessLevels(act string) string {
	return list(`l.access_level, l.user_id, l.group_id, l.created_at, l.created_at as updated_at`,
		`from protected_ref_levels l
		where l.protected_ref_id = t.id and l.act = '`+act+`' and l.deploy_key_id is null order by l.id`)
}

var protectedBranchColumns = `t.name, t.allow_force_push, t.code_owner_approval_required, t.created_at, t.updated_at,
	` + accessLevels("merge") + ` as merge_access_levels, ` + accessLevels("push") + ` as push_access_levels,
	` + accessLevels("unprotect") + ` as unprotect_access_levels`

var protectedTagColumns = `t.name, t.created_at, t.updated_at, ` + accessLevels("create") + ` as create_access_levels`

var approvalRuleColumns = `t.name, t.rule_type, t.report_type, t.approvals_required, t.applies_to_all_protected_branches,
	t.created_at, t.updated_at,
	` + list(`b.name as branch_name`, `from protected_refs b where b.id = any(t.protected_branch_ids) order by b.id`) +
	` as approval_project_rules_protected_branches,
	` + list(`u.id as user_id`, `from unnest(t.user_ids) u (id) order by u.id`) + ` as approval_project_rules_users`

const errorTrackingColumns = `t.active as enabled, t.integrated, null as api_url, null as project_name,
	null as organization_name`

const pushRuleColumns = `t.commit_message_regex, t.commit_message_negative_regex, t.branch_name_regex,
	t.author_email_regex, t.file_name_regex, t.deny_delete_tag, t.member_check, t.prevent_secrets,
	t.commit_committer_check, t.commit_committer_name_check, t.reject_unsigned_commits, t.reject_non_dco_commits,
	t.max_file_size`
