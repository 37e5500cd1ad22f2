package cli

import (
	"context"
	"fmt"
	"strings"
)

// checkApproval refuses a run that would have to ask and cannot, before it does any work.
func (a *app) checkApproval(command string, autoApprove bool, s settings, f rendering) error {
	reason := ""
	switch {
	case autoApprove:
		return nil
	case !f.interactive():
		return fmt.Errorf("hew %s asks for approval, which -json, -format and -o do not allow. Pass -auto-approve "+
			"to apply without asking", command)
	case !s.input:
		reason = "-input=false does not allow it"
	case !a.tty(a.in):
		reason = "standard input is not a terminal"
	default:
		return nil
	}
	return fmt.Errorf("hew %s asks for approval, but %s. Review the plan first, then pass -auto-approve to apply "+
		"without asking", command, reason)
}

// confirm asks a question and reports whether the answer is yes. Anything else is a no, and so are
// an interrupt and the end of the input.
func (a *app) confirm(ctx context.Context, question string) bool {
	fmt.Fprintf(a.out, "\n%s\nOnly yes is accepted: ", question)
	if line, _ := a.interruptible(ctx, a.readLine); strings.TrimSpace(line) == "yes" {
		return true
	}
	fmt.Fprintln(a.out, "Not approved. Nothing was changed.")
	return false
}
