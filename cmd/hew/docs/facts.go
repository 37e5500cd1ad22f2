package docs

// fact is something that the reference and the manual tell in a row.
type fact struct{ name, is string }

// exitCodes are what a run ends with.
var exitCodes = []fact{
	{"0", "Nothing was to be done, or all of it is done."},
	{"1", "An error, a guard, an interrupt, or anything declared that could not be planned or done; the rest was."},
	{"2", "plan -detailed-exitcode: there are changes. drift: there is drift, or without a ledger any difference, or with -strays a stray."},
}

// variables are all that hew reads from its environment, in the order in which
// people come to need them.
var variables = []fact{
	{"HEW_URL", "The URL of the host, with or without /api/v4. GITLAB_BASE_URL, and CI_API_V4_URL in a CI job, are understood where it is not set."},
	{"HEW_TOKEN", "The token to sign in with; its scope is api. GITLAB_TOKEN is understood where it is not set."},
	{"HEW_VAR_name", "The value of the variable called name. TF_VAR_name is understood. Files of variables win over it, and flags over both."},
	{"HEW_LEDGER_KEY", "The key of the digests of secrets. Without it a file ledger keeps a key of its own beside it; the other ledgers take it."},
	{"HEW_LEDGER_URL", "The database of a ledger in Postgres whose block has no url. PG_CONN_STR is understood, and PGHOST with its like."},
	{"TF_HTTP_ADDRESS", "The address of an http ledger whose block has none. All of Terraform's are understood: TF_HTTP_LOCK_ADDRESS, " +
		"TF_HTTP_UNLOCK_ADDRESS, TF_HTTP_UPDATE_METHOD, TF_HTTP_LOCK_METHOD, TF_HTTP_UNLOCK_METHOD, TF_HTTP_USERNAME, TF_HTTP_PASSWORD."},
	{"HEW_ALERT_TOKEN", "The authorization key of the endpoint that hew drift -alert sends to."},
	{"HEW_ISSUE_TOKEN", "The token that hew drift -issue writes with, where that of HEW_TOKEN may only read."},
	{"HEW_COMMENT_TOKEN", "The token that hew plan -comment writes with. That of HEW_TOKEN serves where the merge request is on the host that hew manages. It goes to the host of CI_API_V4_URL, or of HEW_URL where that is not set, and to no other."},
	{"CI_MERGE_REQUEST_IID", "In a CI job the merge request that -comment writes to, of the project in CI_MERGE_REQUEST_PROJECT_ID or CI_PROJECT_ID, on the host of CI_API_V4_URL. " +
		"In the pipeline of a branch it is the one in CI_OPEN_MERGE_REQUESTS; CI_PIPELINE_SOURCE explains where there is none. The note names CI_COMMIT_SHA, CI_PIPELINE_ID, and CI_PIPELINE_URL and CI_JOB_URL as links; one of a higher CI_PIPELINE_ID is newer, and stays as it is."},
	{"CI_PROJECT_PATH", "In a CI job what alerts and issues call the configuration, with its directory below CI_PROJECT_DIR; without a ledger they are told apart by it, and by CI_SERVER_URL."},
	{"CI_PROJECT_URL", "In a CI job where Markdown and HTML link places in files to, at CI_COMMIT_SHA. HTML also names CI_MERGE_REQUEST_IID of CI_MERGE_REQUEST_PROJECT_URL, " +
		"CI_PIPELINE_ID with CI_PIPELINE_URL, and CI_JOB_NAME or CI_JOB_ID with CI_JOB_URL."},
	{"GITHUB_REPOSITORY", "The same in GitHub Actions, with GITHUB_SERVER_URL, GITHUB_SHA, GITHUB_REF, GITHUB_RUN_ID and GITHUB_JOB."},
	{"HEW_CA_FILE", "A PEM file with certificate authorities to trust beside the system's."},
	{"HEW_CLIENT_CERT", "A PEM file with the certificate to show to the host; HEW_CLIENT_KEY is the file with its key."},
	{"HEW_LOG", "What to log on standard error: off, error, warn, info or debug, which tells every request."},
	{"HTTPS_PROXY", "The proxy to reach the host through. HTTP_PROXY and NO_PROXY are heeded as well."},
	{"NO_COLOR", "If set, no colour, as with -no-color."},
}

// files are what hew reads and writes in the directory that it works in.
var files = []fact{
	{"*.hcl, *.tf", "The configuration, with .json at the end of its name in JSON. All of them together are one module, and names that begin with a dot are ignored."},
	{"terraform.tfvars, hew.hclvars, *.auto.hclvars, *.auto.tfvars", "Values of variables; the last one counts. With .json at the end of their names they are JSON."},
	{".hew/ledger.json", "The ledger: ids and digests of what hew manages, and no secret. It may be committed."},
	{".hew/key", "The key of the digests. It may not, and hew writes a .gitignore for it."},
}
