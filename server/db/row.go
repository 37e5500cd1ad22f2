package db

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Columns returns the columns of a row struct that we write, and their values. Fields whose tag has
// "auto" (`db:"id,auto"`) are set by the database alone: ids, defaults, values computed by the
// query. A field with the tag "-" is of no column.
func Columns(row any) (names []string, args pgx.NamedArgs) {
	args = pgx.NamedArgs{}
	v := reflect.Indirect(reflect.ValueOf(row))
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name, option, _ := strings.Cut(field.Tag.Get("db"), ",")
		if field.Anonymous {
			inner, innerArgs := Columns(v.Field(i).Interface())
			names = append(names, inner...)
			for k, a := range innerArgs {
				args[k] = a
			}
			continue
		}
		if name == "id" {
			args["id"] = v.Field(i).Interface()
		}
		if name == "" || name == "-" || option == "auto" {
			continue
		}
		names = append(names, name)
		args[name] = stored(v.Field(i)).Interface()
	}
	return names, args
}

// stored returns the value of a column: an empty list for a nil one, since no column of lists is
// null. Bytes can be null.
func stored(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Slice && v.IsNil() && v.Type().Elem().Kind() != reflect.Uint8 {
		return reflect.MakeSlice(v.Type(), 0, 0)
	}
	return v
}

// idOf is the id of a row; 0: it has none yet.
func idOf(row any) int64 {
	_, args := Columns(row)
	id, _ := args["id"].(int64)
	return id
}

// Insert writes a row and returns its id. A row that comes with an id keeps it: one that was taken
// ahead by nextID, or root's.
func (s *Store) Insert(ctx context.Context, table string, row any) (int64, error) {
	sql, args := insertRow(table, row)
	return Value[int64](ctx, s, sql, args)
}

func insertRow(table string, row any) (sql string, args pgx.NamedArgs) {
	names, args := Columns(row)
	if idOf(row) != 0 {
		names = append(names, "id")
	}
	return fmt.Sprintf("insert into %s (%s) values (@%s) returning id",
		table, strings.Join(names, ", "), strings.Join(names, ", @")), args
}

// Update writes all columns of the row with that id, and that it was changed now.
func (s *Store) Update(ctx context.Context, table string, row any) error {
	sql, args := updateRow(table, row)
	return s.Exec(ctx, sql, args)
}

func updateRow(table string, row any) (sql string, args pgx.NamedArgs) {
	names, args := Columns(row)
	return fmt.Sprintf("update %s set (%s, updated_at) = row(@%s, now()) where id = @id",
		table, strings.Join(names, ", "), strings.Join(names, ", @")), args
}

// NextID takes an id ahead of the insert.
func (s *Store) NextID(ctx context.Context, table string) (int64, error) {
	return Value[int64](ctx, s, `select nextval(pg_get_serial_sequence(@table, 'id'))`, pgx.NamedArgs{"table": table})
}

// UpdateAll does what Update does for many rows, in one round trip.
func UpdateAll[T any](ctx context.Context, s *Store, table string, rows []T) error {
	if len(rows) == 0 {
		return nil
	}
	batch, sql := &pgx.Batch{}, ""
	for _, row := range rows {
		var args pgx.NamedArgs
		sql, args = updateRow(table, row)
		batch.Queue(sql, named(args)...)
	}
	return s.SendBatch(ctx, sql, batch)
}

// InsertAll does what Insert does for many rows, in one round trip, and returns their ids.
func InsertAll[T any](ctx context.Context, s *Store, table string, rows []T) ([]int64, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	ids := make([]int64, len(rows))
	batch, sql := &pgx.Batch{}, ""
	for n, row := range rows {
		var args pgx.NamedArgs
		sql, args = insertRow(table, row)
		batch.Queue(sql, named(args)...).QueryRow(func(found pgx.Row) error { return found.Scan(&ids[n]) })
	}
	return ids, s.SendBatch(ctx, sql, batch)
}
