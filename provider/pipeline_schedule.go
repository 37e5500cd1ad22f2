package provider

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
	"hew/schema/catalogue"
)

// pipelineSchedule starts pipelines of a project at times that a cron expression names (CI facts
// §2.3).
func pipelineSchedule() Kind {
	own := Action{Attr: "owner", Method: http.MethodPost, Path: inProject.path("pipeline_schedules/{id}/take_ownership")}
	return Kind{
		Kind: schema.Kind{
			Name: "pipeline_schedule",
			Doc: "A schedule that starts pipelines of a project. It is identified by its description; if two have " +
				"the same description, neither is changed. Pipelines run in the name of the owner, at first the user " +
				"of the token that creates the schedule. The owner may change it too, with the role Developer.",
			Collection: inProject.path("pipeline_schedules"),
			Match:      schema.ByKey("description"),
			Check:      checkScheduleVariables,
			Need:       inProject.need,
			Features:   []string{"builds_access_level"},
		},
		Table: []Attr{
			inProject.ref(),
			String("description", "The description of the schedule, which identifies it in the project.", Required,
				Check(NotEmpty), MaxLength(255)),
			String("ref", "The branch to run, such as `main`, or a tag, such as `refs/tags/v1.0`.", Required,
				Norm(normString(fullRef), "`refs/heads/` before the name of a branch does not matter."),
				Check(checkRef), Encode(func(v cty.Value) any { return fullRef(v.AsString()) })),
			String("cron", "When to run, as a cron expression of minute, hour, day of month, month and day of week, "+
				"such as `0 4 * * mon-fri`.", Required, Norm(normString(oneSpace), "Additional spaces do not matter."),
				Check(checkCron)),
			String("cron_timezone", "The time zone of cron, such as `Europe/Berlin`.", Default("UTC"), Check(checkZone)),
			Bool("active", "Whether the schedule is active.", Default(true)),
			Reference("owner", "user", "The user in whose name pipelines run. Hosts set it only to the user of the "+
				"token: hew takes the ownership if that is the user stated.", OnlySelf),
			givenVariables("variables", "The variables of the pipelines, by name.", envVar),
			givenVariables("file_variables", "The variables of the pipelines that jobs get as the path of a file with "+
				"the value, by name.", fileVar),
			ID(),
			String("next_run_at", "The time of the next run.", Computed),
			String("created_at", "The time of creation.", Computed),
		},
		API: REST{
			Before: []Action{own},
			After: []Action{
				own, {Attr: "variables", Run: syncVariables}, {Attr: "file_variables", Run: syncVariables},
			},
			Reads: []string{"owner"},
			Decode: func(d *Decoder, r Record, o *schema.Object) error {
				d.SetReference(o, "owner", r.TextIn("owner", "id"), r.TextIn("owner", "username"))
				return nil
			},
		},
	}
}

const (
	headsPrefix = "refs/heads/"
	tagsPrefix  = "refs/tags/"
)

// fullRef returns the full name of a branch or tag. A short name is that of a branch.
func fullRef(s string) string {
	if s == "" || strings.HasPrefix(s, headsPrefix) || strings.HasPrefix(s, tagsPrefix) {
		return s
	}
	return headsPrefix + s
}

func checkRef(v cty.Value) error {
	s := v.AsString()
	name := strings.TrimPrefix(strings.TrimPrefix(s, headsPrefix), tagsPrefix)
	if !catalogue.IsBranchName(name) || strings.HasPrefix(name, "refs/") {
		return fmt.Errorf("%s is not a valid branch or tag; use the name of a branch, or refs/tags/ and the name of a "+
			"tag", schema.Encode(v))
	}
	return nil
}

// oneSpace returns the words of a text with one space between them.
func oneSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

func checkCron(v cty.Value) error {
	if _, err := catalogue.ParseCron(v.AsString()); err != nil {
		return fmt.Errorf("%s is not a cron expression; use five fields for minute, hour, day of month, month and day "+
			"of week, such as \"0 4 * * *\"", schema.Encode(v))
	}
	return nil
}

func checkZone(v cty.Value) error {
	if _, err := catalogue.LoadZone(v.AsString()); err != nil {
		return errors.New("must be the name of a time zone, such as UTC or Europe/Berlin")
	}
	return nil
}
