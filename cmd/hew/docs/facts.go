package docs

// fact is a row of a table in the reference and in the manual.
type fact struct{ name, is string }

// exitCodes holds the exit codes of all commands.
var exitCodes = []fact{
	{"0", "Success."},
	{"1", "An error, a guard or an interrupt. If only some objects could not be planned or applied, the others were."},
	{"2", "plan -detailed-exitcode: there are changes. drift: there is drift, without a ledger any difference, or " +
		"with -strays an undeclared object."},
}

// variables holds all environment variables that hew reads, the most common ones first.
var variables = []fact{
	{"HEW_URL", "The URL of the host, with or without /api/v4. Defaults to GITLAB_BASE_URL, then to CI_API_V4_URL, " +
		"which CI jobs have."},
	{"HEW_TOKEN", "The token to sign in with, of scope api. Defaults to GITLAB_TOKEN. It is sent only to the " +
		"host that HEW_URL names, so a provider block with base_url needs a token of its own or HEW_URL with the same host."},
	{"HEW_VAR_name", "The value of the variable called name; TF_VAR_name works too. Variable files override it, and " +
		"flags override both."},
	{"HEW_LEDGER_KEY", "The key of the digests of secrets. Required for http and postgres ledgers. A file ledger " +
		"defaults to a key file next to it."},
	{"HEW_LEDGER_URL", "The database of a postgres ledger whose block has no url. Defaults to PG_CONN_STR, then to " +
		"PGHOST and the other variables of Postgres."},
	{"TF_HTTP_ADDRESS", "The address of an http ledger whose block has none. The other variables of Terraform work " +
		"too: TF_HTTP_LOCK_ADDRESS, " +
		"TF_HTTP_UNLOCK_ADDRESS, TF_HTTP_UPDATE_METHOD, TF_HTTP_LOCK_METHOD, TF_HTTP_UNLOCK_METHOD, " +
		"TF_HTTP_USERNAME, TF_HTTP_PASSWORD."},
	{"HEW_ALERT_TOKEN", "The authorization key of the endpoint that hew drift -alert sends to."},
	{"HEW_ISSUE_TOKEN", "The token that hew drift -issue writes with. Defaults to HEW_TOKEN."},
	{"HEW_COMMENT_TOKEN", "The token that hew plan -comment writes with. Defaults to HEW_TOKEN if the merge request " +
		"is on the host that hew manages. It is sent only to the host of CI_API_V4_URL, or of HEW_URL if that is " +
		"not set."},
	{"CI_MERGE_REQUEST_IID",
		"In a CI job, the merge request that -comment writes to, of the project in CI_MERGE_REQUEST_PROJECT_ID or " +
			"CI_PROJECT_ID, on the host of CI_API_V4_URL. " +
			"A branch pipeline uses the merge request in CI_OPEN_MERGE_REQUESTS, and CI_PIPELINE_SOURCE in the " +
			"error if there is none. The note has CI_COMMIT_SHA and CI_PIPELINE_ID, and links to CI_PIPELINE_URL " +
			"and CI_JOB_URL. A note with a higher CI_PIPELINE_ID is newer and left alone."},
	{"CI_PROJECT_PATH", "In a CI job, the name of the configuration in alerts and issues, with its directory below " +
		"CI_PROJECT_DIR. Without a ledger it identifies them, together with CI_SERVER_URL."},
	{"CI_PROJECT_URL", "In a CI job, the project that file names in Markdown and HTML link to, at CI_COMMIT_SHA. " +
		"HTML also names CI_MERGE_REQUEST_IID of CI_MERGE_REQUEST_PROJECT_URL, " +
		"CI_PIPELINE_ID with CI_PIPELINE_URL, and CI_JOB_NAME or CI_JOB_ID with CI_JOB_URL."},
	{"GITHUB_REPOSITORY",
		"The same in GitHub Actions, with GITHUB_SERVER_URL, GITHUB_SHA, GITHUB_REF, GITHUB_RUN_ID and GITHUB_JOB."},
	{"HEW_CA_FILE", "A PEM file with certificate authorities to trust in addition to those of the system."},
	{"HEW_CLIENT_CERT", "A PEM file with a client certificate; HEW_CLIENT_KEY is the file with its key."},
	{"HEW_LEDGER_PATH", "The file of the ledger, if its block has no path. It can be outside of the repository."},
	{"HEW_LOG", "The level of the log on standard error: off, error, warn, info or debug. debug logs every request."},
	{"HEW_MEMORY_LIMIT", "The memory, in MiB, at which the evaluation of the configuration ends with an error " +
		"(default 4096)."},
	{"HTTPS_PROXY", "The proxy to reach the host through. HTTP_PROXY and NO_PROXY work too."},
	{"NO_COLOR", "If set, disables color, like -no-color. Files and formats other than text are never colored."},
	{"CLICOLOR_FORCE",
		"Enables color in all output, like FORCE_COLOR. The values 0 and false count as unset: they do not disable " +
			"color. NO_COLOR and -no-color override it."},
	{"GITLAB_CI", "If true, enables color, because the log of a CI job shows it. CLICOLOR=0 and TERM=dumb disable " +
		"it, as on a terminal."},
}

// files holds the files that hew reads and writes in its working directory.
var files = []fact{
	{"*.hcl, *.tf", "The configuration; JSON if the name ends in .json as well. All files together are one module. " +
		"Names that begin with a dot are ignored."},
	{"terraform.tfvars, hew.hclvars, *.auto.hclvars, *.auto.tfvars",
		"Values of variables; the last file wins. JSON if the name ends in .json as well."},
	{".hew/ledger.json",
		"The ledger: ids of managed objects and digests of their values. It holds no secrets and can be committed."},
	{".hew/key", "The key of the digests. Do not commit it; hew adds it to .gitignore."},
}
