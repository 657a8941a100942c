// The attachment with the comparison of two runs: the fixture writes it, the reporter reads it.

/** Name of the attachment. */
export const DIFFERENCE = 'what differed from a run that passed'
