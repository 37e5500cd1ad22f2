package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"hew/cmd/hew/post"
	"hew/cmd/hew/view"
	"hew/reconcile/report"
)

// addCommentFlags adds the flags of a comment.
func addCommentFlags(cmd *cobra.Command, c *post.Comment) {
	f := cmd.Flags()
	f.StringVar(&c.On, "comment", "", "write the plan to one note on the merge request of the pipeline, or on "+
		"`PROJECT!IID`")
	f.Lookup("comment").NoOptDefVal = post.OfPipeline
	f.StringVar(&c.Name, "comment-key", "", "identify the note by `NAME` (default: derived from DIR and -var-file)")
}

// writeComment writes the documents of a run, which ended with err, to its note. A run whose note
// cannot be written fails.
func (p *planRun) writeComment(ctx context.Context, parts []report.Part, err error) error {
	parts = slices.DeleteFunc(slices.Clone(parts),
		func(one report.Part) bool { return !one.Planned && len(one.Diagnostics) == 0 })
	if !p.comment.Asked() || len(parts) == 0 || ctx.Err() != nil {
		return err
	}
	if wrong := p.comment.Write(ctx, p.postEnv(p.form, p.settings), parts); wrong != nil {
		view.WriteError(p.console(p.err), fmt.Errorf("the note could not be written: %w", wrong))
		if err == nil || errors.Is(err, differs) {
			return failed
		}
	}
	return err
}
