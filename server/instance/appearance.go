package instance

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/check"
	"hew/server/db"
	"hew/server/tree"
)

// Appearance is how the instance presents itself.
type Appearance struct {
	ID       int64              `db:"id"`
	Settings AppearanceSettings `db:"appearance"`
	Files    map[string]string  `db:"files,auto"` // the names of the files, by their purpose
}

// AppearanceSettings are its texts and colors, by the names of the API.
type AppearanceSettings struct {
	Title                       string `json:"title"`
	Description                 string `json:"description"`
	PwaName                     string `json:"pwa_name"`
	PwaShortName                string `json:"pwa_short_name"`
	PwaDescription              string `json:"pwa_description"`
	MemberGuidelines            string `json:"member_guidelines"`
	NewProjectGuidelines        string `json:"new_project_guidelines"`
	ProfileImageGuidelines      string `json:"profile_image_guidelines"`
	HeaderMessage               string `json:"header_message"`
	FooterMessage               string `json:"footer_message"`
	MessageBackgroundColor      string `json:"message_background_color"`
	MessageFontColor            string `json:"message_font_color"`
	EmailHeaderAndFooterEnabled bool   `json:"email_header_and_footer_enabled"`
}

// NewAppearanceSettings returns the defaults.
func NewAppearanceSettings() AppearanceSettings {
	return AppearanceSettings{MessageBackgroundColor: "#e75e40", MessageFontColor: "#ffffff"}
}

// UnmarshalJSON reads stored settings over the defaults.
func (a *AppearanceSettings) UnmarshalJSON(text []byte) error {
	type plain AppearanceSettings
	v := plain(NewAppearanceSettings())
	err := json.Unmarshal(text, &v)
	*a = AppearanceSettings(v)
	return err
}

const selectAppearance = `
	select id, appearance, coalesce((select jsonb_object_agg(name, file_name) from appearance_files), '{}') as files
	from appearances where id = 1`

// ReadAppearance returns the appearance without the contents of its files.
func ReadAppearance(ctx context.Context, s *db.Store) (Appearance, error) {
	return db.One[Appearance](ctx, s, "Appearance", selectAppearance, nil)
}

// holdAppearance returns the appearance and locks its row until the transaction ends.
func holdAppearance(ctx context.Context, s *db.Store) (Appearance, error) {
	return db.One[Appearance](ctx, s, "Appearance", selectAppearance+` for no key update`, nil)
}

// updateAppearance stores the texts and colors and returns the appearance as stored.
func updateAppearance(ctx context.Context, s *db.Store, a Appearance) (Appearance, error) {
	if err := s.Update(ctx, "appearances", a); err != nil {
		return a, err
	}
	return ReadAppearance(ctx, s)
}

// putAppearanceFile stores a file in place of the one with the same purpose.
func putAppearanceFile(ctx context.Context, s *db.Store, name, fileName string, content []byte) error {
	return s.Exec(ctx, `
		insert into appearance_files (name, file_name, content) values (@name, @file_name, @content)
		on conflict (name) do update
		set (file_name, content, updated_at) = row(excluded.file_name, excluded.content, now())`,
		pgx.NamedArgs{"name": name, "file_name": fileName, "content": content})
}

// deleteAppearanceFile deletes a file, if there is one.
func deleteAppearanceFile(ctx context.Context, s *db.Store, name string) error {
	return s.Exec(ctx, `delete from appearance_files where name = @name`, pgx.NamedArgs{"name": name})
}

// Picture is a file for the appearance.
type Picture struct {
	Name string
	Open func() io.Reader
}

const (
	maxPicture        = 1 << 20
	maxAppearanceText = 1 << 20 // of the texts that the public service does not bound
)

// pictureTypes are the media types that are allowed, by purpose. Other pictures may be whatever
// avatars may be.
var pictureTypes = map[string][]string{"favicon": {"image/png", "image/vnd.microsoft.icon"}}

// ChangeAppearance applies change to the appearance and stores pictures by their purpose. A nil
// picture deletes the one there is.
func ChangeAppearance(
	ctx context.Context, st *db.Store, change func(*AppearanceSettings), pictures map[string]*Picture,
) (a Appearance, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if a, err = holdAppearance(ctx, st); err != nil {
			return err
		}
		change(&a.Settings)
		contents, err := readPictures(pictures)
		if err != nil {
			return err
		}
		if err := checkAppearance(a.Settings, contents); err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(pictures)) {
			if err := storePicture(ctx, st, name, pictures[name], contents[name]); err != nil {
				return err
			}
		}
		a, err = updateAppearance(ctx, st, a)
		return err
	})
	return a, err
}

// readPictures reads the pictures, at most one byte more than is allowed.
func readPictures(pictures map[string]*Picture) (map[string][]byte, error) {
	contents := map[string][]byte{}
	for name, p := range pictures {
		if p == nil {
			continue
		}
		content, err := io.ReadAll(io.LimitReader(p.Open(), maxPicture+1))
		if err != nil {
			return nil, fmt.Errorf("read the file for %s: %w", name, err)
		}
		contents[name] = content
	}
	return contents, nil
}

// storePicture stores or deletes a picture.
func storePicture(ctx context.Context, st *db.Store, name string, p *Picture, content []byte) error {
	if p == nil {
		return deleteAppearanceFile(ctx, st, name)
	}
	return putAppearanceFile(ctx, st, name, tree.FileName(p.Name), content)
}

var hexColor = regexp.MustCompile(`^#([0-9a-fA-F]{3}){1,2}$`)

func checkAppearance(a AppearanceSettings, pictures map[string][]byte) error {
	var wrong check.Problems
	for _, text := range []struct {
		field, value string
		most         int
	}{
		{"title", a.Title, 255}, {"pwa_name", a.PwaName, 255}, {"pwa_short_name", a.PwaShortName, 255},
		{"pwa_description", a.PwaDescription, 2048}, {"description", a.Description, maxAppearanceText},
		{"header_message", a.HeaderMessage, 3000}, {"footer_message", a.FooterMessage, 3000},
		{"member_guidelines", a.MemberGuidelines, 4096}, {"profile_image_guidelines", a.ProfileImageGuidelines, 4096},
		{"new_project_guidelines", a.NewProjectGuidelines, maxAppearanceText},
	} {
		wrong.Fits(text.field, text.value, text.most)
	}
	if !hexColor.MatchString(a.MessageBackgroundColor) {
		wrong.On("message_background_color", "must be a valid color code")
	}
	if !hexColor.MatchString(a.MessageFontColor) {
		wrong.On("message_font_color", "must be a valid color code")
	}
	for name, content := range pictures {
		allowed := pictureTypes[name]
		if allowed == nil {
			allowed = tree.AvatarKinds()
		}
		switch {
		case len(content) > maxPicture:
			wrong.On(name, "is too big (should be at most 1 MB)")
		case !slices.Contains(allowed, tree.AvatarType(content)):
			wrong.On(name, tree.Unsupported(allowed))
		}
	}
	return wrong.Err()
}
