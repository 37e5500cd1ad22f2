package merge

import "hew/server/jobs"

// RequestForIssue is the job that makes a branch and a merge request for an issue.
func RequestForIssue(issueID int64, branch string, userID int64) jobs.Args {
	return requestForIssue{IssueID: issueID, Branch: branch, UserID: userID}
}
