package integration

import (
	"cmp"
	"context"
	"crypto/subtle"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/secret"
	"hew/server/setting"
)

// MaxAlertBody is how many bytes a request with alerts may have (gaps §13.2).
const MaxAlertBody = 1 << 20

// AdmitAlerts finds the integration that an address and a key stand for. The refusals are as the public service orders them:
// no such project, nothing that listens there, a key that is not good. With a good one, requests are counted.
func AdmitAlerts(ctx context.Context, st *db.Store, at AlertAddress, key string) (none AlertIntegration, err error) {
	listening, err := Listening(ctx, st, at)
	switch {
	case err != nil:
		return none, err
	case len(listening) == 0:
		return none, fault.Forbidden("")
	}
	digest := secret.Digest(key)
	for _, i := range listening {
		if subtle.ConstantTimeCompare(i.Digest, digest[:]) == 1 {
			return i, limitAlerts(ctx, st, i.ProjectID)
		}
	}
	return none, fault.Unauthorized()
}

// limitAlerts refuses a request with alerts for a project that was sent as many as the settings allow.
func limitAlerts(ctx context.Context, st *db.Store, projectID int64) error {
	settings, err := setting.Read(ctx, st)
	if err != nil || !settings.AlertsLimited {
		return err
	}
	n, err := CountAlertRequest(ctx, st, projectID, settings.AlertPeriod)
	if err == nil && n > settings.AlertRequests {
		err = fault.TooMany(cmp.Or(settings.LimitText, "Retry later")).In(fault.Raw)
	}
	return err
}

// ReceiveAlerts takes what was sent to an integration that admitted it, in one of the two formats, and returns the alerts
// that it is about. A body with all that the metrics format requires is of that format, wherever it was sent.
func ReceiveAlerts(ctx context.Context, st *db.Store, i AlertIntegration, body []byte) ([]Alert, error) {
	said, err := readAlertBody(body)
	if err != nil {
		return nil, err
	}
	var reports []Alert
	switch {
	case isMetrics(said):
		reports, err = metricsAlerts(said)
	case i.Type == Prometheus:
		err = fault.Unprocessable("")
	default:
		reports = []Alert{genericAlert(said)}
	}
	if err != nil || len(reports) == 0 {
		return nil, err
	}
	return ReportAlerts(ctx, st, i.ProjectID, reports)
}
