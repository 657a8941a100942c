// Names of the tables and the bucket that `chartroom reports init` creates.
export const GROUPS_TABLE = 'chartroom_report_groups'
export const MEMBERS_TABLE = 'chartroom_report_members'
export const COUNTS_TABLE = 'chartroom_report_counts'
export const REPORTS_TABLE = 'chartroom_reports'
export const REPORTS_BUCKET = 'chartroom-reports'

/** Whether a table of the schema `public` has reports: they are read on their own page. */
export const isReportsTable = (name: string): boolean => /^chartroom_report(?:s|_)/.test(name)
