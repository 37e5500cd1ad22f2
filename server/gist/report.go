package gist

import (
	"context"
	"fmt"
	"strings"

	"hew/server/db"
	"hew/server/mail"
)

// maxTold is how many skipped gists a mail names.
const maxTold = 100

// mailReport sends the user a mail if not all gists were imported.
func mailReport(ctx context.Context, st *db.Store, i Import) error {
	if i.Failure == nil && len(i.Skipped) == 0 {
		return nil
	}
	return mail.Send(ctx, st, []int64{i.UserID}, mail.Message{
		Kind: mail.Notice, Subject: "Some gists were not imported", Text: report(i),
	})
}

// report returns the text of the mail.
func report(i Import) string {
	var text strings.Builder
	fmt.Fprintf(&text, "The import of your gists has ended. Imported: %d.\n", i.Imported)
	if i.Failure != nil {
		fmt.Fprintf(&text, "It ended early: %s\n", *i.Failure)
	}
	if len(i.Skipped) > 0 {
		fmt.Fprintf(&text, "\nNot imported:\n")
	}
	for n, s := range i.Skipped {
		if n == maxTold {
			fmt.Fprintf(&text, "and %d more\n", len(i.Skipped)-n)
			break
		}
		fmt.Fprintf(&text, "- %s (%s): %s\n", s.Title, s.ID, s.Reason)
	}
	return text.String()
}
