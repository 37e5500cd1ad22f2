package view

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

func (m *Markdown) guards(all []report.Guard) {
	var entries []entry
	for _, g := range all {
		most := prose.MaxListed
		if len(g.Objects) <= most+1 {
			most = len(g.Objects)
		}
		head, rest := m.bullet("**Guard "+Verbatim(g.Code)+"**", g.Declared, g.Text), ""
		for i, o := range g.Objects {
			line := "- " + Verbatim(prose.Clean(o)) + "\n"
			if i < most {
				head += "  " + line
			} else {
				rest += line
			}
		}
		fix := "\n" + advice(g.Fix) + "\n"
		e := entry{line: head + fix}
		if more := len(g.Objects) - most; more > 0 {
			e.line = head + fmt.Sprintf("  - … %d more\n", more) + fix
			e.full = head + fix + "\n" + details(fmt.Sprintf("%d more", more), rest+"\n")
		}
		entries = append(entries, e)
	}
	m.add(rankGuards, "Stopped by "+prose.Count(len(all), "guard"), entries)
}

func (m *Markdown) blocked(all []report.Blocked) {
	var entries []entry
	for _, b := range report.BlockedCauses(all) {
		why := strings.Join(b.Sentences(), " ")
		entries = append(entries, entry{line: m.bullet(Verbatim(prose.Clean(b.Address)), b.Declared, why)})
	}
	m.add(rankNotDone, "Not planned: "+report.BlockedCount(all), entries)
}

func (m *Markdown) checks(all []report.Check) {
	var entries []entry
	for _, c := range all {
		headline := c.Headline()
		if headline == "" {
			continue
		}
		name := prose.Clean(c.Name)
		headline = Verbatim(name) + strings.TrimPrefix(headline, name)
		entries = append(entries, entry{line: m.bullet(headline, c.Declared, prose.Sentence(c.Message))})
	}
	m.add(rankInformation, "Checks", entries)
}

func (m *Markdown) outputs(all map[string]report.Output) {
	var entries []entry
	for _, name := range slices.Sorted(maps.Keys(all)) {
		entries = append(entries, entry{line: "- " + Verbatim(prose.Clean(name)+" = "+all[name].Literal()) + "\n"})
	}
	m.add(rankInformation, "Outputs", entries)
}

func (m *Markdown) notes(all []string) {
	var entries []entry
	for _, n := range all {
		entries = append(entries, entry{line: "- " + Plainly(n, Verbatim) + "\n"})
	}
	m.add(rankInformation, "Notes", entries)
}
