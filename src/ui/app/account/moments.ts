// Formats server timestamps for display.
import { formatDateTime } from '../../../services/workbench/text/index.ts'

/** @param timeZone defaults to the user's. */
export const momentWords = (at: string | null | undefined, timeZone?: string): string => {
  const time = Date.parse(at ?? '')
  if (Number.isNaN(time)) return 'never'
  return formatDateTime(time, timeZone)
}
