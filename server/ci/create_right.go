package ci

import (
	"context"
	"fmt"
	"strings"

	"hew/server/code"
	"hew/server/fault"
	"hew/server/merge"
	"hew/server/policy"
	"hew/server/protect"
)

// findRef finds what the pipeline is for. It returns why there is none, which only those learn who
// may create pipelines.
func (c *creation) findRef(ctx context.Context) (missing, err error) {
	if c.Request != nil && c.Ref == "" {
		c.name = c.Request.SourceBranch
		return nil, nil
	}
	names := map[protect.RefKind]string{protect.Branch: code.Heads + c.Ref, protect.Tag: code.Tags + c.Ref}
	c.kind, c.name = protect.Branch, c.Ref
	if short, ok := strings.CutPrefix(c.Ref, code.Heads); ok {
		c.name, names = short, map[protect.RefKind]string{protect.Branch: c.Ref}
	} else if short, ok := strings.CutPrefix(c.Ref, code.Tags); ok {
		c.kind, c.name, names = protect.Tag, short, map[protect.RefKind]string{protect.Tag: c.Ref}
	}
	exists := 0
	for kind, full := range names {
		ref, err := c.git.FindRef(ctx, c.st, "Ref", full)
		if fault.CodeOf(err) == fault.CodeNotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		exists++
		c.kind = kind
		if exists == 1 && c.Commit.IsZero() {
			c.Commit = ref.Commit()
		}
	}
	switch exists {
	case 0:
		return refuse("Reference not found"), nil
	case 1:
		return nil, nil
	}
	return refuse("Ref is ambiguous"), nil
}

// checkRights refuses projects without pipelines, and users who may not start one.
func (c *creation) checkRights(ctx context.Context) (err error) {
	p := c.found
	switch {
	case p.Pending:
		return refuse("Project is deleted!")
	case p.Settings.BuildsAccess == string(policy.Disabled):
		return refuse("Pipelines are disabled!")
	case p.ImportStatus == "scheduled" || p.ImportStatus == "started":
		return refuse("You cannot run pipelines before project import is complete.")
	case c.By.State != "active" || !can(c.By, policy.CreatePipeline, p):
		return refuse("Insufficient permissions to create a new pipeline")
	}
	who := p.Who(c.By)
	if c.protection, err = protect.ReadProtection(ctx, c.st, p.ID, protect.Pusher{Who: who}); err != nil {
		return err
	}
	kind := c.kind
	if kind == "" {
		kind = protect.Branch
	}
	ownBranch := c.Request == nil || c.Ref != "" || !c.Request.FromFork()
	switch {
	case ownBranch && !c.protection.MayRun(kind, c.name):
		return refuse(fmt.Sprintf("You do not have sufficient permission to run a pipeline on '%s'. Please select "+
			"a different branch or contact your administrator for assistance.", c.name))
	case c.JobPush && !p.Settings.CIPushForJobToken:
		return refuse("Pipeline creation is not allowed when pushing from CI jobs. " +
			"This prevents infinite pipeline loops.")
	case len(c.Variables) > 0 && !c.maySetVariables(who):
		return refuse("Insufficient permissions to set pipeline variables")
	}
	return nil
}

// maySetVariables reports whether somebody may start pipelines with variables. A child pipeline has
// those of its parent's definition.
func (c *creation) maySetVariables(who policy.Who) bool {
	return c.Source == ByParent || MaySetVariables(c.Project, who)
}

// protected reports whether the pipeline may have what is kept for protected refs. One of a merge
// request may if both branches are protected and in the same project.
func (c *creation) protected() bool {
	if r := c.Request; r != nil {
		return !r.FromFork() && c.protection.Protects(protect.Branch, r.SourceBranch) &&
			c.protection.Protects(protect.Branch, r.TargetBranch)
	}
	return c.protection.Protects(c.kind, c.name)
}

// requestRef returns the ref that pipelines of a merge request have.
func requestRef(r merge.Request, merged bool) string {
	if merged {
		return fmt.Sprintf("%s%d/merge", code.MergeRequests, r.IID)
	}
	return r.HeadRef()
}
