package integration

import (
	"context"
	"encoding/json"

	"hew/server/db"
	"hew/server/integration/send"
)

// alertPayload is an alert that was triggered; the project is shown beside it.
type alertPayload struct {
	ObjectKind string          `json:"object_kind"` // alert
	Attributes alertAttributes `json:"object_attributes"`
}

type alertAttributes struct {
	IID         int64  `json:"iid"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Severity    string `json:"severity"`
}

// raiseAlerts raises the alerts that were triggered now. Repeated reports of an open alert raise
// nothing.
func raiseAlerts(ctx context.Context, st *db.Store, projectID int64, list []Alert) error {
	var payloads []json.RawMessage
	for _, a := range list {
		if a.Status != Triggered || a.EventCount != 1 {
			continue
		}
		p := alertPayload{"alert", alertAttributes{IID: a.IID, Title: a.Title, Severity: a.Severity}}
		if a.Description != nil {
			p.Attributes.Description = *a.Description
		}
		text, err := db.EncodeJSON(p)
		if err != nil {
			return err
		}
		payloads = append(payloads, text)
	}
	if payloads == nil {
		return nil
	}
	return Raise(ctx, st, Event{
		Kind: send.AlertEvents, Project: projectID, Payloads: func() ([]json.RawMessage, error) { return payloads, nil },
	})
}
