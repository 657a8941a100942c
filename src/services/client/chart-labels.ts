// State descriptions for charts of machines that no longer contain them.

/**
 * Descriptions by state id, and by `#n` for a state's n-th transition. Empty here: the package build moves
 * the descriptions from the machines, which apps download, to this file.
 */
export const CHART_LABELS: Readonly<Record<string, string>> = {}
