package cli

import (
	"context"
	"fmt"
	"strings"
)

// approvable refuses a run that would have to ask and cannot, before it does
// any work.
func (a *app) approvable(command string, autoApprove bool, s settings, f form) error {
	switch {
	case autoApprove:
		return nil
	case !f.forPeople():
		return fmt.Errorf("hew %s asks before it changes anything, and -json, -format and -o leave nobody to ask. Pass -auto-approve to go on without asking", command)
	case !s.input:
		return fmt.Errorf("hew %s asks before it changes anything, and -input=false says not to. Look at the plan first, then pass -auto-approve to go on without asking", command)
	case !a.tty(a.in):
		return fmt.Errorf("hew %s asks before it changes anything, and standard input is not a terminal. Look at the plan first, then pass -auto-approve to go on without asking", command)
	}
	return nil
}

// confirm asks a question that only the whole word yes answers. An interrupt
// is a no, and so is the end of the input.
func (a *app) confirm(ctx context.Context, question string) bool {
	fmt.Fprintf(a.out, "\n%s\nOnly yes is accepted: ", question)
	if line, _ := a.awaited(ctx, a.line); strings.TrimSpace(line) == "yes" {
		return true
	}
	fmt.Fprintln(a.out, "Not approved. Nothing was changed.")
	return false
}
