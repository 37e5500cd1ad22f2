package people

import (
	"context"
	"fmt"

	"hew/server/check"
	"hew/server/db"
	"hew/server/tree"
)

// mostAttributes is how many custom attributes one thing may have: lists show all of them.
const mostAttributes = 100

// ChangeCustomAttributes lets change edit the custom attributes of something as they are stored, while nobody else can, and
// stores the outcome.
func ChangeCustomAttributes(ctx context.Context, st *db.Store, b tree.Bearer, change func(map[string]string) error) error {
	return st.Tx(ctx, func(st *db.Store) error {
		attributes, err := HoldCustomAttributes(ctx, st, b)
		if err != nil {
			return err
		}
		if err := change(attributes); err != nil {
			return err
		}
		if err := checkAttributes(attributes); err != nil {
			return err
		}
		return UpdateCustomAttributes(ctx, st, b, attributes)
	})
}

func checkAttributes(attributes map[string]string) error {
	var wrong check.Problems
	if len(attributes) > mostAttributes {
		wrong.On("base", fmt.Sprintf("Maximum number of custom attributes (%d) exceeded", mostAttributes))
	}
	for key, value := range attributes {
		wrong.Fits("key", key, 255)
		wrong.Fits("value", value, 255)
	}
	return wrong.Err()
}
