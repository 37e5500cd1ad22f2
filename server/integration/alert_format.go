package integration

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"hew/server/fault"
)

// Limits of the stored fields of an alert other than its payload, in characters (gaps §13.2).
const (
	maxAlertTitle       = 200
	maxAlertDescription = 1000
	maxAlertTool        = 100 // and the service
	maxAlertHosts       = 20
	maxAlertHost        = 255
)

// untitled is the title of an alert that has none.
const untitled = "New: Alert"

// environments are the names of the field that names an environment.
var environments = []string{"gitlab_environment_name", "svc_environment_name"}

// severities are the words for each severity in the metrics format (spec 3 §2.3). The generic
// format knows the severities themselves and unknown. Other words mean defaultSeverity.
var severities = map[string]string{
	"critical": "critical s1 p1 emergency fatal",
	"high":     "high s2 p2 major page",
	"medium":   "medium s3 p3 error alert",
	"low":      "low s4 p4 warn warning",
	"info":     "info s5 p5 debug information notice",
}

const defaultSeverity = "critical"

// genericAlert reads an alert in the generic format (spec 3 §2.2), in which every field is
// optional.
func genericAlert(s alertFields) Alert {
	a := newAlert(s, s.time("start_time"), s.time("end_time"))
	a.Title = *truncate(cmp.Or(s.text("title"), untitled), maxAlertTitle)
	a.Description = truncate(s.text("description"), maxAlertDescription)
	a.Severity = defaultSeverity
	if word := strings.ToLower(s.text("severity")); severities[word] != "" || word == "unknown" {
		a.Severity = word
	}
	a.Service = truncate(s.text("service"), maxAlertTool)
	a.MonitoringTool = truncate(s.text("monitoring_tool"), maxAlertTool)
	for _, host := range s.texts("hosts") {
		a.Hosts = append(a.Hosts, *truncate(host, maxAlertHost))
	}
	a.Hosts = a.Hosts[:min(len(a.Hosts), maxAlertHosts)]
	a.Environment = truncate(s.text(environments...), maxAlertHost)
	a.Fingerprint = s.fingerprint("start_time", "end_time", "hosts")
	return a
}

// newAlert returns an alert that began, resolved if it has ended.
func newAlert(s alertFields, began, ended *time.Time) Alert {
	a := Alert{Status: Triggered, Hosts: []string{}, StartedAt: time.Now(), EndedAt: ended, Payload: s.json()}
	if began != nil {
		a.StartedAt = *began
	}
	if ended != nil {
		a.Status = Resolved
	}
	return a
}

// The metrics format, by what it requires (spec 3 §2.3), and how many of its alerts are looked at
// (gaps §13.2).
var metricsKeys = strings.Fields(
	"alerts commonAnnotations commonLabels externalURL groupKey groupLabels receiver status version",
)

const (
	metricsVersion  = "4"
	maxMetricsAlert = 100
)

// isMetrics reports whether a body has the metrics format.
func isMetrics(s alertFields) bool {
	lacks := func(key string) bool { _, has := s[key]; return !has }
	return !slices.ContainsFunc(metricsKeys, lacks) && s["version"] == metricsVersion
}

// metricsAlerts reads the alerts of a body in the metrics format, all of them or none.
func metricsAlerts(s alertFields) ([]Alert, error) {
	elements, ok := s["alerts"].([]any)
	if !ok {
		return nil, fault.BadRequest("").Because(fmt.Errorf("alerts that are %T", s["alerts"]))
	}
	elements = elements[:min(len(elements), maxMetricsAlert)]
	list := make([]Alert, len(elements))
	for n, element := range elements {
		one, _ := element.(map[string]any)
		a, ok := metricsAlert(one)
		if !ok {
			return nil, fault.BadRequest("").Because(fmt.Errorf("alert %d without title or startsAt", n))
		}
		list[n] = a
	}
	return list, nil
}

// metricsAlert reads one alert in the metrics format. It reports false if the title or the start is
// missing. Fields that have no column stay in the payload.
func metricsAlert(s alertFields) (Alert, bool) {
	notes, labels := s.object("annotations"), s.object("labels")
	title := cmp.Or(notes.text("title", "summary"), labels.text("alertname"))
	if title == "" || s.text("startsAt") == "" {
		return Alert{}, false
	}
	var ended *time.Time // of one that still burns it says when to forget it
	if s.text("status") == Resolved {
		ended = cmp.Or(s.time("endsAt"), new(time.Now()))
	}
	a := newAlert(s, s.time("startsAt"), ended)
	a.Title = *truncate(title, maxAlertTitle)
	a.Description = truncate(notes.text("description"), maxAlertDescription)
	a.Severity = defaultSeverity
	for severity, words := range severities {
		if slices.Contains(strings.Fields(words), strings.ToLower(labels.text("severity"))) {
			a.Severity = severity
		}
	}
	a.MonitoringTool = new("Prometheus")
	a.Environment = truncate(labels.text(environments...), maxAlertHost)
	a.Fingerprint = s.fingerprint("startsAt", "endsAt", "status")
	return a, true
}
