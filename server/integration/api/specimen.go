package api

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"hew/schema/catalogue"
	"hew/server/db"
	"hew/server/hook"
	"hew/server/integration"
	"hew/server/integration/send"
	"hew/server/part"
)

// specimenSlug is the integration that the wildcard stands for.
const specimenSlug = "redmine"

// specimen sets up n integrations of a group or project, and everything about alerts that a
// project has.
func specimen(ctx context.Context, h *db.Store, at part.Place, n int) (part.Values, error) {
	values := part.Values{"slug": specimenSlug}
	if at.ID() == 0 {
		return values, nil
	}
	slugs := []string{specimenSlug}
	for _, of := range catalogue.Integrations() {
		if !slices.Contains(slugs, of.Slug) {
			slugs = append(slugs, of.Slug)
		}
	}
	for _, slug := range slugs[:n] {
		i := integration.NewIntegration(at.Container, slug)
		i.Active = true
		i, err := integration.Integrations(h, at.Container).Create(ctx, i)
		if err == nil && slug == specimenSlug {
			err = specimenDeliveries(ctx, h, i, n)
		}
		if err != nil {
			return nil, err
		}
	}
	if at.ProjectID == nil {
		return values, nil
	}
	return values, specimenAlerts(ctx, h, at, n, values)
}

// specimenDeliveries records n requests of an integration.
func specimenDeliveries(ctx context.Context, h *db.Store, i integration.Integration, n int) error {
	for range n {
		d := integration.Delivery{IntegrationID: i.ID, Event: send.PushEvents, Key: hook.NewUUID(), Method: "POST"}
		if _, _, err := integration.BeginDelivery(ctx, h, d); err != nil {
			return err
		}
	}
	return nil
}

// specimenAlerts creates n alert integrations and alerts of a project.
func specimenAlerts(ctx context.Context, h *db.Store, at part.Place, n int, values part.Values) error {
	for i := range n {
		name := fmt.Sprint("no-", i)
		k, err := integration.CreateAlertIntegration(ctx, h, at.Container, func(i *integration.AlertIntegration) error {
			i.Name, i.Type = name, "http"
			return nil
		})
		if err != nil {
			return err
		}
		list, err := integration.ReportAlerts(ctx, h, *at.ProjectID, []integration.Alert{{
			Title: name, Status: integration.Triggered, Severity: "low", Hosts: []string{}, Fingerprint: name,
			Payload: json.RawMessage(`{}`), StartedAt: time.Now(),
		}})
		if err != nil {
			return err
		}
		if err := specimenImages(ctx, h, list[0], n, values); err != nil {
			return err
		}
		values["integration_id"], values["iid"] = fmt.Sprint(k.ID), fmt.Sprint(list[0].IID)
	}
	return nil
}

// specimenImages creates n metric images of an alert.
func specimenImages(ctx context.Context, h *db.Store, a integration.Alert, n int, values part.Values) error {
	for range n {
		i := integration.MetricImage{Filename: "load.png"}
		i, err := integration.UploadMetricImage(ctx, h, a, i, []byte("\x89PNG\r\n\x1a\n"))
		if err != nil {
			return err
		}
		values["alert_iid"], values["image_id"] = fmt.Sprint(a.IID), fmt.Sprint(i.ID)
	}
	return nil
}
