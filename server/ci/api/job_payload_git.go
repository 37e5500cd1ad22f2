package api

import (
	"strconv"
	"strings"

	"hew/server/ci"
)

// gitInfo says what a runner fetches, and from where.
type gitInfo struct {
	RepoURL          string   `json:"repo_url"`
	RepoObjectFormat string   `json:"repo_object_format"`
	Ref              string   `json:"ref"`
	SHA              string   `json:"sha"`
	BeforeSHA        string   `json:"before_sha"`
	RefType          string   `json:"ref_type"`
	Refspecs         []string `json:"refspecs"`
	Depth            int      `json:"depth"`
	Protected        bool     `json:"protected"`
}

func gitInfoOf(site ci.Site, w ci.Work) gitInfo {
	info := gitInfo{
		RepoURL: w.RepositoryURL(site), RepoObjectFormat: "sha1", Ref: w.Pipeline.Ref, SHA: w.Pipeline.Commit.String(),
		BeforeSHA: w.Pipeline.Before.String(), RefType: "branch", Depth: depthOf(w), Protected: w.Pipeline.Protected,
	}
	if w.Pipeline.Tag {
		info.RefType = "tag"
	}
	info.Refspecs = refspecsOf(w.Pipeline, info.Depth)
	return info
}

// depthOf returns how many commits are fetched; 0 is all.
func depthOf(w ci.Work) int {
	depth := 0
	if set := w.Project.Settings.CIDefaultGitDepth; set != nil {
		depth = *set
	}
	if given, ok := w.Lookup()("GIT_DEPTH"); ok {
		depth, _ = strconv.Atoi(strings.TrimSpace(given)) // anything else than a number is 0, as everywhere
	}
	return max(depth, 0)
}

// refspecsOf returns the refs that are fetched: the hidden one of the pipeline, and the branch or
// tag. Without a depth all branches and tags are fetched.
func refspecsOf(p ci.Pipeline, depth int) []string {
	own := p.PipelineRef()
	list := []string{"+" + own + ":" + own}
	switch {
	case depth == 0:
		return append(list, "+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*")
	case p.Tag:
		return append(list, "+refs/tags/"+p.Ref+":refs/tags/"+p.Ref)
	case strings.HasPrefix(p.Ref, "refs/"): // of a merge request
		return list
	}
	return append(list, "+refs/heads/"+p.Ref+":refs/remotes/origin/"+p.Ref)
}
