// Package conversation is what was said in a session: everything that its editor was shown, what the user sent, how each
// turn ended, and what happened beside the turns.
//
// It promises four things. Every update has a number, from 1 and without gaps, and whatever was shown after a number can
// be had again ([Conversation.Since]). What is said to be on disk outlives a kill -9: prompts and the ends of turns are
// there before the editor is shown them. What was open when a process ended is closed when the session is restored, and
// the prompts that were cut off are given back ([Conversation.Restore]). Memory is bounded by text, not by the number of
// chunks, and with [Config.DiskOnly] by a run of text.
//
// It leaves to others: the bytes on disk and the lock of a session (bridge/store), which updates there are and when they
// are shown (package bridge), what an editor's protocol makes of them (the fronts). It knows no session, no agent and no
// editor.
//
// # Goroutines
//
// A [Conversation] has a mutex of its own and may be used from any goroutine. The order of its items is the order of the
// calls, so everything is added by the one that shows it, in that moment: the goroutine of the bridge's outbox, or the agent's
// reading goroutine in its place. Create, Restore and ReadCopilot are the exception: the goroutine that opens or loads the
// session calls them before anything of it was shown. Add, Record and AddHappening do not wait for the disk (Record only
// when the disk is far behind); AddPrompt, AddQueued, AddEnd, AddSent, PutAgentState, Sync, Close and Delete do. AddSent, which
// no editor is shown, is called by the goroutine that runs the turn. A conversation starts a goroutine only for a sync with
// DiskOnly, which Close waits for, and a timer, which finds nothing to do after Close.
//
// # What must stay true
//
//   - the content of an item changes only while it is the last one, by growing: what was saved of it stays as it was;
//   - renumbering ([Conversation.Replay]) happens where the replay is shown, so no event carries a number of before;
//   - the store gets the rest of a run before anything that follows it;
//   - the store's session belongs to the conversation from Create or Restore until Close, and nobody else appends to it;
//   - text of agents, files and users gets into Markdown through the escape filter only, in fences and links that it
//     cannot end.
package conversation
