// The maximum line length, for both reading and writing.

/** Longer lines are not read: JSON of this size may take a gigabyte when parsed. */
export const MAX_LINE = 2 ** 24
