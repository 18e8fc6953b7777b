/** Every limit of the panel. What is left out is said, and can be opened whole in an editor. */

/** Characters of a tool's answer: what the user reads before opening it in an editor. */
export const MAX_TOOL_TEXT = 12_000;
/** Characters of a tool call's arguments. */
export const MAX_INPUT = 4_000;
/** Lines of one file's diff in the panel; more is read in the diff editor. */
export const MAX_DIFF_LINES = 400;
/** Lines of one file's diff in a question: what is allowed should be readable, so that only what no one reads in a side bar is cut. */
export const MAX_QUESTION_LINES = 5_000;
/** Unchanged lines around a change, as `diff -u` has. */
export const DIFF_CONTEXT = 3;
/** Edit distance at which the diff of two texts is given up and shown as whole replacement: 3,000 takes some 50 ms. */
export const MAX_EDIT_LENGTH = 3_000;
/** Characters of a terminal's output that are kept: some 2,000 lines. The terminal's own tab has the rest. */
export const MAX_TERMINAL = 200_000;
/** Characters of a picture, base64: 4 MB. */
export const MAX_IMAGE = 5_600_000;
/** Characters of one line in a title, a command or a path before it is cut. */
export const MAX_TITLE = 400;
/** Conversations that are kept beside the one that is shown, so that going back to one is at once. */
export const MAX_CONVERSATIONS = 4;
/** Items that a page gets first, some screens' worth, and at a time when the user reads further up. */
export const FIRST_ITEMS = 200;
export const MORE_ITEMS = 1_000;
/** Characters of a prompt; the bridge's own limit for a message is far above. */
export const MAX_PROMPT = 1_000_000;
/** Prompts that are remembered for the up key. */
export const MAX_HISTORY = 100;
/** Files that a completion offers. */
export const MAX_COMPLETIONS = 50;
/** Milliseconds for which changes are collected before they go to the page: one frame. */
export const FRAME = 16;
