package people

import (
	"context"
	"time"

	"hew/server/db"
	"hew/server/jobs"
	"hew/server/mail"
)

// ExpiryNoticeDays is the number of days before its expiry that an access token is announced, as on
// the public service.
const ExpiryNoticeDays = 7

// expiryBatch limits the tokens of one transaction.
const expiryBatch = 100

// personal is the condition that a token is one that its user knows of.
const personal = `access_level is null and not impersonation`

// Jobs are the jobs of people.
var Jobs = []jobs.Kind{jobs.On(mailExpiring).Each(time.Hour)}

// ExpiryJob sends users a mail about each access token of theirs that expires soon.
type ExpiryJob struct{}

// Kind returns the name of the job.
func (ExpiryJob) Kind() string { return "mail_expiring" }

// mailExpiring tells of each token once: its mark and its mail commit together. Without a mail
// server it marks none.
func mailExpiring(ctx context.Context, st *db.Store, _ ExpiryJob) error {
	for mail.Enabled(st) {
		n := 0
		err := st.Tx(ctx, func(st *db.Store) error {
			tokens, err := claimExpiring(ctx, st, personal, ExpiryNoticeDays, expiryBatch)
			if err != nil {
				return err
			}
			n = len(tokens)
			for _, t := range tokens {
				if err := mail.Send(ctx, st, []int64{t.UserID}, ExpiryMessage(t, "your account")); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || n < expiryBatch {
			return err
		}
	}
	return nil
}

// ExpiryMessage returns the message that a token expires soon, whose owner is named.
func ExpiryMessage(t Token, owner string) mail.Message {
	return mail.Message{
		Kind: mail.Expiring, Subject: "Access token " + t.Name + " expires soon", Title: t.Name, Author: owner,
		Text: t.ExpiresAt.Format(time.DateOnly), About: t.Container,
	}
}
