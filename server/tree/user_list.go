package tree

var SelectUsers = `
	select u.*, n.id as namespace_id, ` + PersonColumn("u.created_by_id") + ` as created_by
	from users u join namespaces n on n.owner_id = u.id`
