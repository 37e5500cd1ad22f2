package api

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/errortracking"
	"hew/server/part"
)

// specimen has a project collect errors, with n keys and n errors, the first of which occurred n
// times.
func specimen(ctx context.Context, h *db.Store, at part.Place, n int) (part.Values, error) {
	values := part.Values{}
	if at.ProjectID == nil {
		return values, nil
	}
	_, err := errortracking.Settings(h, at.Container).Create(
		ctx, errortracking.Setting{ProjectID: *at.ProjectID, Active: true, Integrated: true},
	)
	if err != nil {
		return nil, err
	}
	for i := range n {
		key, err := errortracking.CreateKey(ctx, h, at.Container)
		if err != nil {
			return nil, err
		}
		values["key_id"] = fmt.Sprint(key.ID)
		numbers := []int{0} // the first error occurs every time
		if i > 0 {
			numbers = append(numbers, i)
		}
		for _, number := range numbers {
			r, err := errortracking.ReadReport(fmt.Appendf(nil, `{"message":"Error %d"}`, number), "")
			if err == nil {
				err = errortracking.Receive(ctx, h, *at.ProjectID, r)
			}
			if err != nil {
				return nil, err
			}
			if number == 0 {
				values["fingerprint"] = r.Fingerprint
			}
		}
	}
	return values, nil
}
