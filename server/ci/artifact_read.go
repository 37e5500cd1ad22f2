package ci

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"hew/server/blob"
	"hew/server/ci/expression"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/setting"
)

// metadataOf reads the list of the files of an archive and stores it as another artifact. A zip
// that cannot be read is refused.
func metadataOf(ctx context.Context, st *db.Store, archive Artifact) (a Artifact, err error) {
	list, err := OpenArchive(ctx, st, archive)
	if err != nil {
		return a, err
	}
	defer list.Close()
	var text bytes.Buffer
	if err := writeMetadata(&text, list.Entries); err != nil {
		return a, err
	}
	size := int64(text.Len())
	ref, err := blob.Put(ctx, st, &text, blob.NoLimit)
	a = archive
	a.FileType, a.FileFormat, a.Filename = MetadataFile, "gzip", "metadata.gz"
	a.BlobID, a.Size = ref.ID, size
	return a, err
}

// writeMetadata writes a list of files in the public format: strings, each after its size, and
// zipped.
func writeMetadata(to io.Writer, list []ArchiveEntry) error {
	zipped := gzip.NewWriter(to)
	out := bufio.NewWriter(zipped)
	write := func(text string) error {
		if err := binary.Write(out, binary.BigEndian, uint32(len(text))); err != nil {
			return err
		}
		_, err := out.WriteString(text)
		return err
	}
	for _, head := range []string{"GitLab Build Artifacts Metadata 0.0.2\n", "{}"} {
		if err := write(head); err != nil {
			return err
		}
	}
	for _, e := range list {
		about, err := json.Marshal(map[string]any{"size": e.Size, "crc": e.zipped.Sum, "zipped": e.zipped.Packed})
		if err != nil {
			return err
		}
		if err := errors.Join(write(e.Path), write(string(about))); err != nil {
			return err
		}
	}
	return errors.Join(out.Flush(), zipped.Close())
}

// ReadReport returns the text of a report, unzipped if it is. More than most bytes are a too-large
// fault. A gzip may have several members, one for each file: their texts follow each other.
func ReadReport(ctx context.Context, st *db.Store, a Artifact, most int64) (text []byte, err error) {
	content, err := a.Open(ctx, st)
	if err != nil {
		return nil, err
	}
	defer content.Close()
	var from io.Reader = content
	if a.FileFormat == "gzip" {
		if from, err = gzip.NewReader(content); err != nil {
			return nil, fault.Unprocessable("The report is not gzip.").Because(err)
		}
	}
	text, err = io.ReadAll(io.LimitReader(from, most+1))
	switch {
	case err != nil && a.FileFormat == "gzip":
		return nil, fault.Unprocessable("The report is not gzip.").Because(err)
	case err == nil && int64(len(text)) > most:
		return nil, fault.TooLarge()
	}
	return text, err
}

// readDotenv returns the variables of a dotenv report, within the limits of the plan.
func readDotenv(ctx context.Context, st *db.Store, a Artifact) ([]expression.Variable, error) {
	plan, err := setting.ReadPlanLimits(ctx, st, "default")
	if err != nil {
		return nil, err
	}
	most := plan.Limits.DotenvSize
	if most == 0 {
		most = maxDotenv
	}
	text, err := ReadReport(ctx, st, a, most)
	if fault.CodeOf(err) == fault.CodeTooLarge {
		err = fault.BadRequest(fmt.Sprintf("Dotenv Artifact Too Big. Maximum Allowable Size: %d", most))
	}
	if err != nil {
		return nil, err
	}
	list, err := parseDotenv(string(text))
	if n := plan.Limits.DotenvVariables; err == nil && n > 0 && int64(len(list)) > n {
		err = fault.BadRequest(fmt.Sprintf("Dotenv files cannot have more than %d variables", n))
	}
	return list, err
}

// maxDotenv is the size of a dotenv report where the plan has no limit, in bytes.
const maxDotenv = 1 << 20

var (
	dotenvLine = regexp.MustCompile(`^([a-zA-Z_][a-zA-Z0-9_]*)=(.*)$`)
	unquoted   = regexp.MustCompile(`^(?:"(.*)"|'(.*)')$`)
)

// parseDotenv reads lines such as KEY=value. Quotes around a value are not part of it. A later line
// replaces an earlier one with the same key.
func parseDotenv(text string) (list []expression.Variable, err error) {
	at := map[string]int{}
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		m := dotenvLine.FindStringSubmatch(line)
		if m == nil || strings.ContainsRune(m[2], 0) {
			return nil, fault.BadRequest("Invalid Format")
		}
		v := expression.Variable{Key: m[1], Value: unquoted.ReplaceAllString(m[2], "$1$2")}
		if n, ok := at[v.Key]; ok {
			list[n] = v
			continue
		}
		at[v.Key] = len(list)
		list = append(list, v)
	}
	return list, nil
}
