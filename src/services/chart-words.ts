// What machines say of their states, for charts, where the machines themselves no longer say it.

/**
 * Sentences by the id of their state, and `#n` for its n-th transition. There are none here: the package's build takes them out of the machines, which
 * apps download, and puts them in this place.
 */
export const CHART_WORDS: Readonly<Record<string, string>> = {}
