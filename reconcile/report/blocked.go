package report

import (
	"slices"

	"hew/reconcile/config"
	"hew/reconcile/report/prose"
)

// BlockedCause is an object that could not be planned for a reason of its own, and the addresses of
// those that wait for it, directly or not.
type BlockedCause struct {
	Blocked
	Waiting []string
}

// BlockedCauses separates what is blocked by itself, or by something not in the list, from what
// waits for it.
func BlockedCauses(all []Blocked) (causes []BlockedCause) {
	blocked := make(map[string]Blocked, len(all))
	for _, b := range all {
		blocked[b.Address] = b
	}
	waiting := map[string][]string{}
	for _, b := range all {
		cause := b
		for seen := map[string]bool{}; !seen[cause.Address]; {
			seen[cause.Address] = true
			if i := slices.IndexFunc(cause.By, func(a string) bool { _, in := blocked[a]; return in }); i >= 0 {
				cause = blocked[cause.By[i]]
			}
		}
		if cause.Address == b.Address {
			causes = append(causes, BlockedCause{Blocked: b})
		} else {
			waiting[cause.Address] = append(waiting[cause.Address], b.Address)
		}
	}
	for i := range causes {
		causes[i].Waiting = waiting[causes[i].Address]
	}
	return causes
}

// Sentences returns why the object could not be planned, and which others that blocks.
func (b BlockedCause) Sentences() []string {
	all := []string{prose.Sentence(b.Why)}
	if len(b.By) > 0 {
		all = append(all, "Blocked by "+someAddresses(b.By)+".")
	}
	if n := len(b.Waiting); n > 0 {
		all = append(all, "Blocks "+prose.Count(n, "other object")+": "+someAddresses(b.Waiting)+".")
	}
	return all
}

// BlockedCount counts what could not be planned, and the causes if there are fewer, because views
// list only these.
func BlockedCount(all []Blocked) string {
	count := prose.Count(len(all), "object")
	if causes := BlockedCauses(all); len(causes) < len(all) {
		count += " (" + prose.Count(len(causes), "cause") + ")"
	}
	return count
}

// someAddresses joins the first few addresses for a sentence.
func someAddresses(addresses []string) string {
	clean := make([]string, len(addresses))
	for i, a := range addresses {
		clean[i] = prose.Clean(a)
	}
	return prose.SomeOf(clean)
}

// Headline says what a check came to, "" if it passed.
func (c Check) Headline() string {
	verdict := map[config.Verdict]string{config.CheckFailed: "failed", config.CheckErrored: "could not be evaluated",
		config.CheckUnknown: "is not known until apply"}[config.Verdict(c.Status)]
	if verdict == "" {
		return ""
	}
	return prose.Clean(c.Name) + " " + verdict
}
