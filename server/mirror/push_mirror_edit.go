package mirror

import (
	"context"
	"fmt"
	"strings"

	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/outbound"
	"hew/server/setting"
)

// maxMirrors is how many push mirrors a project may have (gaps §12.4).
const maxMirrors = 10

// CreatePushMirror creates a push mirror of a project to url; fill completes it (spec 1 §4.8, gaps
// §12.4).
func CreatePushMirror(
	ctx context.Context, st *db.Store, c db.Container, url string, fill func(*PushMirror) error,
) (m PushMirror, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if err := st.Exclusively(ctx, "push mirrors of "+c.String()); err != nil {
			return err
		}
		n, err := PushMirrors(st, c).Count(ctx)
		switch {
		case err != nil:
			return err
		case n >= maxMirrors:
			return fault.Invalid("base", fmt.Sprintf("Maximum number of push mirrors (%d) exceeded", maxMirrors))
		}
		settings, err := setting.Read(ctx, st)
		if err != nil {
			return err
		}
		if m, err = NewPushMirror(ctx, st, *c.ProjectID); err != nil {
			return err
		}
		setMirrorURL(st, &m, url)
		var wrong check.Problems
		if text := setting.OutboundPolicy(settings).FindProblem(outbound.Git, url); text != "" {
			wrong.On("url", text)
		}
		if err := fill(&m); err != nil {
			return err
		}
		if err := completeMirror(st, &m, &wrong); err != nil {
			return err
		}
		m, err = PushMirrors(st, c).Create(ctx, m)
		return err
	})
	return m, err
}

// ChangePushMirror applies change to a push mirror of a project and stores it. The address cannot
// change.
func ChangePushMirror(
	ctx context.Context, st *db.Store, c db.Container, id int64, change func(*PushMirror) error,
) (PushMirror, error) {
	return PushMirrors(st, c).Change(ctx, db.ByID(id), func(st *db.Store, m *PushMirror) error {
		if err := change(m); err != nil {
			return err
		}
		return completeMirror(st, m, &check.Problems{})
	})
}

// completeMirror adds the remaining problems of a mirror to wrong and returns them as an error. It
// makes keys for a mirror that needs some.
func completeMirror(st *db.Store, m *PushMirror, wrong *check.Problems) error {
	if m.MirrorBranchRegex != nil && wrong.Fits("mirror_branch_regex", *m.MirrorBranchRegex, check.MaxRegexLength) {
		if err := check.Regex(*m.MirrorBranchRegex); err != nil {
			wrong.On("mirror_branch_regex",
				"not valid RE2 syntax: "+strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
	}
	m.checkHostKeys(wrong)
	if err := wrong.Err(); err != nil || m.AuthMethod != ByKey {
		return err
	}
	return m.makeKeys(st, pushes, m.ID)
}
