// Names of the topics that the grid uses for live changes.

/** The part before the table. */
export const ROWS_TOPIC = 'rows:'

/** The topic of a table. */
export const rowsTopic = (schema: string, table: string): string =>
  `${ROWS_TOPIC}${schema === 'public' ? '' : `${schema}.`}${table}`
