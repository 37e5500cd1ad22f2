package work

import "maps"

// sharedCommands says how each quick action is run that issues and epics have alike.
func sharedCommands[T Commanded]() map[string]command[T] {
	return map[string]command[T]{
		"close":  {may: editor, edits: true, do: setState[T](Closed, "close", "Closed")},
		"reopen": {may: editor, edits: true, do: setState[T](Opened, "reopen", "Reopened")},
		"title":  {may: editor, edits: true, do: setTitle[T]},

		"label":   {may: planner, edits: true, do: addLabels[T]},
		"unlabel": {may: planner, edits: true, do: removeLabels[T]},
		"relabel": {may: planner, edits: true, do: replaceLabels[T]},

		"lock":         {may: planner, edits: true, do: setLock[T](true, "Locked the discussion.")},
		"unlock":       {may: planner, edits: true, do: setLock[T](false, "Unlocked the discussion.")},
		"confidential": {may: editor, edits: true, do: makeConfidential[T]},

		"todo":        {may: anybody, do: askTodo[T]("add", "Added a to-do item.")},
		"done":        {may: anybody, do: askTodo[T]("done", "Marked to-do item as done.")},
		"subscribe":   {may: anybody, do: subscribe[T](true, "Subscribed to notifications.")},
		"unsubscribe": {may: anybody, do: subscribe[T](false, "Unsubscribed from notifications.")},
		"react":       {may: reactor, do: react[T]},

		"relate":     {may: planner, do: linkCommand[T](RelatesTo, "related to")},
		"blocks":     {may: planner, do: linkCommand[T](Blocks, "blocked by")},
		"blocked_by": {may: planner, do: linkCommand[T](IsBlockedBy, "blocking")},
		"unlink":     {may: planner, do: runUnlink[T]},
	}
}

// commandsWith returns the shared commands and those of one kind of things.
func commandsWith[T Commanded](own map[string]command[T]) map[string]command[T] {
	all := sharedCommands[T]()
	maps.Copy(all, own)
	return all
}

// issueCommands says how each quick action of issues is run. Those that are missing here cannot be
// applied: there are no pages, timelines, meetings, merge requests or children of issues yet.
var issueCommands = commandsWith(map[string]command[Issue]{

	"copy_metadata": {may: planner, edits: true, do: copyMetadata},

	"assign":   {may: planner, edits: true, do: assign},
	"unassign": {may: planner, edits: true, do: unassign},
	"reassign": {may: planner, edits: true, do: reassign},

	"milestone":        {may: planner, edits: true, do: setMilestone},
	"remove_milestone": {may: planner, edits: true, do: removeMilestone},
	"iteration":        {may: planner, edits: true, do: setIteration},
	"remove_iteration": {may: planner, edits: true, do: removeIteration},
	"epic":             {may: planner, edits: true, do: setEpic},
	"remove_epic":      {may: planner, edits: true, do: removeEpic},

	"estimate":          {may: planner, edits: true, do: setEstimate},
	"remove_estimate":   {may: planner, edits: true, do: removeEstimate},
	"spend":             {may: planner, do: spendTime},
	"remove_time_spent": {may: planner, do: removeTimeSpent},
	"due":               {may: planner, edits: true, do: setDueDate},
	"remove_due_date":   {may: planner, edits: true, do: removeDueDate},

	"duplicate": {may: planner, edits: true, do: markDuplicate},

	"move":    {may: planner, do: moveIssue},
	"clone":   {may: planner, do: cloneIssue},
	"promote": {may: planner, do: promote},

	"weight":              {may: planner, edits: true, do: setWeight},
	"clear_weight":        {may: planner, edits: true, do: clearWeight},
	"health_status":       {may: planner, edits: true, do: setHealth},
	"clear_health_status": {may: planner, edits: true, do: clearHealth},
	"severity":            {may: planner, edits: true, do: setSeverity},
	"type":                {may: planner, edits: true, do: setType},
	"promote_to_incident": {may: planner, edits: true, do: promoteToIncident},
})

// epicCommands says how each quick action of epics is run.
var epicCommands = commandsWith(map[string]command[Epic]{
	"confidential":       {may: editor, edits: true, do: makeEpicConfidential},
	"child_epic":         {may: planner, do: addChildEpics},
	"remove_child_epic":  {may: planner, do: removeChildEpics},
	"parent_epic":        {may: planner, edits: true, do: setParentEpic},
	"remove_parent_epic": {may: planner, edits: true, do: removeParentEpic},
})
