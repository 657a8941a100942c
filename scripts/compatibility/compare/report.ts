// The differences as rows: the same difference in several places is one row, with its reason if it has one.
import { readTable, updateTable, type Cells } from '../../page-tables.ts'
import type { FoundDifference } from './run.ts'

/** A difference that stays, and why. */
export interface KnownDifference {
  /** Matches `CONVERSATION: STEP | WHAT | OURS | THEIRS`. */
  readonly pattern: RegExp
  readonly reason: string
}

export interface Row {
  readonly profile: string
  /** The first place. */
  readonly where: string
  /** How many more places have it. */
  readonly more: number
  readonly what: string
  readonly ours: string
  readonly theirs: string
  /** Undefined if it has none yet. */
  readonly reason: string | undefined
}

/** @param known the first that matches a difference is its reason */
export function groupDifferences(
  profile: string,
  found: readonly FoundDifference[],
  known: readonly KnownDifference[],
): Row[] {
  const reasonOf = ({ conversation, step, what, ours, theirs }: FoundDifference) => {
    const text = `${conversation}: ${step} | ${what} | ${ours} | ${theirs}`
    return known.find(({ pattern }) => pattern.test(text))?.reason
  }
  const groups = new Map<string, FoundDifference[]>()
  for (const difference of found) {
    const { what, ours, theirs } = difference
    // One row for each reason, with its first difference.
    const key = reasonOf(difference) ?? JSON.stringify([what, ours, theirs])
    groups.set(key, [...(groups.get(key) ?? []), difference])
  }
  return [...groups.values()].flatMap(([first, ...others]) =>
    first
      ? [
          {
            profile,
            where: `${first.conversation}: ${first.step}`,
            more: others.length,
            what: first.what,
            ours: first.ours,
            theirs: first.theirs,
            reason: reasonOf(first),
          },
        ]
      : [],
  )
}

export function describeRows(rows: readonly Row[]): string {
  return rows.map(row => cellsOf(row).join(' | ')).join('\n')
}

const COLUMNS = ['Profile', 'Conversation', 'What', 'Ours', 'Original', 'Reason']

/** Replaces the rows of a profile in docs/compatibility.md. */
export async function writeRows(profile: string, rows: readonly Row[]): Promise<void> {
  const others = (await readTable('compare')).filter(([cell]) => cell !== profile)
  const all = [...others, ...rows.map(row => cellsOf(row, quoteCode))]
  const keyOf = (cells: Cells) => cells.join(' | ')
  await updateTable('compare', COLUMNS, all, all.map(keyOf), { keyOf })
}

function cellsOf(row: Row, quote = (text: string) => text): string[] {
  const { profile, where, more, what, ours, theirs, reason = 'to be examined' } = row
  // The site would read braces as an expression.
  const plain = where.replaceAll(/\{\{(\w+)\}\}/g, ':$1')
  const place = more > 0 ? `${plain} (and ${more} more)` : plain
  return [profile, place, what, quote(ours), quote(theirs), reason]
}

/** As code, so that Markdown shows the text unchanged. */
function quoteCode(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``
}
