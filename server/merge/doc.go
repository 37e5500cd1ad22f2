// Package merge holds merge requests: proposals to merge a branch into another one of the same
// project, or of one that it was forked from; what people say and decide about them, and the merge.
//
// A merge request belongs to its target project and is numbered there. What it brings is kept as
// versions: a push to the source branch makes a new one, and its commits stay in the repository of
// the target by the hidden ref refs/merge-requests/N/head, even when the branch or the fork is
// gone.
//
// Rules say who has to approve: those of the project and of the groups above it that are for the
// target branch, or else the merge request's own, and those of the code owners of what it changes
// ([ReadApprovals]). [IsApproved] is what a merge asks. Rules are read when they are asked about;
// only those of code owners follow from the last version, and those of a merged request from the
// time of the merge.
//
// People, labels, milestones, notes, time and quick actions work as those of issues do, through the
// same tables and packages note and work.
package merge
