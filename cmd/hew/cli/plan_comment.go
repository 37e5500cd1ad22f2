package cli

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"hew/cmd/hew/post"
	"hew/reconcile/report"
)

// commentFlags are the flags of a comment.
func addCommentFlags(cmd *cobra.Command, c *post.Comment) {
	f := cmd.Flags()
	f.StringVar(&c.On, "comment", "", "keep one note that tells of the plan on the merge request of the pipeline, or on `PROJECT!IID`")
	f.Lookup("comment").NoOptDefVal = post.OfPipeline
	f.StringVar(&c.Name, "comment-key", "", "call the note `NAME`, which tells it from others on the merge request; its directories and -var-file flags do otherwise")
}

// keepNote has the merge request say what a run has come to, which ended with err.
// Where it cannot, the run is no success.
func (p *planRun) writeComment(ctx context.Context, parts []report.Part, err error) error {
	parts = slices.DeleteFunc(slices.Clone(parts), func(one report.Part) bool { return !one.Planned && len(one.Diagnostics) == 0 })
	if !p.comment.Asked() || len(parts) == 0 || ctx.Err() != nil {
		return err
	}
	if wrong := p.comment.Write(ctx, p.postEnv(p.form, p.settings), parts); wrong != nil {
		p.console(p.err).Paragraph(0, "Error: the note could not be written: "+wrong.Error())
		if err == nil || errors.Is(err, differs) {
			return failed
		}
	}
	return err
}
