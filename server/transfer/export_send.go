package transfer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hew/server/blob"
	"hew/server/db"
	"hew/server/outbound"
	"hew/server/setting"
)

// sendPauses are the times between the tries to send an archive.
var sendPauses = []time.Duration{5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute}

// send sends the archive to its target. It tries again where the other host cannot take it now. The
// address may hold a signature, so that no error names it.
func (x Exporter) send(ctx context.Context, st *db.Store, e Export, t ExportTarget) error {
	for i := 0; ; i++ {
		again, err := x.sendOnce(ctx, st, e, t)
		if err == nil || !again || ctx.Err() != nil {
			return err
		}
		if i == len(sendPauses) {
			return err
		}
		if err := x.wait(ctx, sendPauses[i]); err != nil {
			return err
		}
	}
}

func (x Exporter) wait(ctx context.Context, pause time.Duration) error {
	if x.Wait != nil {
		return x.Wait(ctx, pause)
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// sendOnce sends the archive, and reports whether another try may do what this one did not.
func (x Exporter) sendOnce(ctx context.Context, st *db.Store, e Export, t ExportTarget) (again bool, err error) {
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return false, err
	}
	if settings.SilentMode {
		return false, refusedExport("the server is in silent mode and sends nothing to other hosts")
	}
	policy := setting.OutboundPolicy(settings)
	if text := policy.FindProblem(outbound.Web, t.URL); text != "" {
		return false, refusedExport("the archive could not be sent: the address " + text)
	}
	ref, err := blob.Load(ctx, st, *e.BlobID)
	if err != nil {
		return false, err
	}
	content, err := blob.Open(ctx, st, ref, 0)
	if err != nil {
		return false, err
	}
	defer content.Close()
	answer, err := x.Out.Upload(ctx, outbound.Options{Policy: policy}, outbound.Request{
		Method: t.Method, URL: t.URL, Header: []outbound.Field{{Name: "Content-Type", Value: "application/gzip"}},
	}, content, ref.Size, outbound.DefaultIdle)
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err != nil:
		var blocked *outbound.RefusedError
		return !errors.As(err, &blocked), refusedExport(fmt.Sprintf("the archive could not be sent: %v", err))
	case answer.Status >= 200 && answer.Status < 300:
		return false, nil
	}
	again = answer.Status == 408 || answer.Status == 429 || answer.Status >= 500
	return again, refusedExport(fmt.Sprintf("the archive could not be sent: the other host answered %d", answer.Status))
}
