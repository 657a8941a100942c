// Describes the result of a comparison, claiming no more than was compared.
import { formatCount, plural } from '../../text/format.ts'
import { toLocalTime } from '../draft.ts'
import { isEnded, type ComparisonSnapshot } from './comparison.ts'
import type { IndexSummary } from './row-index.ts'

/** The headline. */
export function formatSummary(
  summary: IndexSummary,
  { phase, isRead }: Pick<ComparisonSnapshot, 'phase' | 'isRead'>,
  shown: readonly number[],
): string {
  if (shown.length < 2) return 'Choose at least two accounts to compare.'
  const { compared, differing, changed } = summary
  const isWhole = phase === 'done' || (phase === 'partial' && shown.every(account => isRead[account]))
  const isNothing = isWhole && compared === 0 && changed === 0
  if (isNothing) return 'None of these accounts sees any rows.'
  const rows = differing === 1 ? '1 row differs' : `${formatCount(differing)} rows differ`
  if (isWhole)
    return [
      differing === 0
        ? `No differences in ${plural(compared, 'row')} compared`
        : `${rows} of ${formatCount(compared)} compared`,
      ...(changed > 0 ? [`${plural(changed, 'row')} changed and not compared`] : []),
    ].join(' · ')
  const soFar = `${rows} so far of ${formatCount(compared)} compared`
  if (phase === 'rechecking' || phase === 'recheckBackingOff')
    return `${soFar} · checking the differences again`
  if (phase === 'canceled') return `Canceled: ${soFar}`
  if (phase === 'unconfirmed') return `${soFar} · not all differences could be checked again`
  return isEnded(phase) ? `Incomplete: ${soFar}` : soFar
}

/** Describes the differences. */
export function formatDetails({ hidden, otherValues, notCompared }: IndexSummary): string {
  return [
    ...(hidden > 0 ? [`${formatCount(hidden)} hidden from some accounts`] : []),
    ...(otherValues > 0 ? [`${formatCount(otherValues)} with different values`] : []),
    ...(notCompared > 0 ? [`${plural(notCompared, 'row')} not compared`] : []),
  ].join(' · ')
}

const timeOf = (at: Date): string => toLocalTime(at.toISOString()).slice(11)

/** When the rows were read. */
export function formatTimes({
  startedAt,
  endedAt,
}: Pick<ComparisonSnapshot, 'startedAt' | 'endedAt'>): string {
  if (endedAt === undefined) return `Started at ${timeOf(startedAt)}`
  const [from, to] = [timeOf(startedAt), timeOf(endedAt)]
  return from === to ? `Compared at ${to}` : `Compared from ${from} to ${to}`
}

/** The progress of one account. */
export function formatScan({ phase, read, total }: ComparisonSnapshot['scans'][number]): string {
  if (phase === 'read') return plural(read, 'row')
  return total === undefined
    ? `${plural(read, 'row')} read`
    : `${formatCount(read)} of ${plural(total, 'row')} read`
}
