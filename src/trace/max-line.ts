// The longest line, which bounds both what is read and what is written.

/** A longer line is not read: JSON of this size may take a gigabyte when parsed. */
export const MAX_LINE = 2 ** 24
