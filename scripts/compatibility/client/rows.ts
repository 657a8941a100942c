// The rows of docs/side-by-side.md on an original.
import { readFile } from 'node:fs/promises'
import { measureRows, SIDE_BY_SIDE } from '../../../evidence/bench/side-by-side/index.ts'
import { cell } from '../../../evidence/bench/side-by-side/table.ts'

export interface RowResult {
  /** The row's number and title, and the client. */
  readonly name: string
  /** Undefined if both results are the same. */
  readonly difference: string | undefined
}

/** Runs each row with both clients and compares the results with the page. `CHARTROOM_AUTH_URL` names the server. */
export async function compareRows(onResult: (result: RowResult) => void): Promise<readonly RowResult[]> {
  const documented = await readRows()
  const results: RowResult[] = []
  await measureRows(measured => {
    const { number, title } = measured.row
    const [, , , official, chartroom] = documented.find(cells => cells[1] === title) ?? []
    const pairs = [
      ['supabase-js', cell(measured.official), official],
      ['Chartroom', cell(measured.chartroom), chartroom],
    ] as const
    for (const [client, ours, theirs] of pairs) {
      const difference = ours === theirs ? undefined : `${ours}, instead of ${theirs}`
      const result = { name: `${number}. ${title} (${client})`, difference }
      results.push(result)
      onResult(result)
    }
  })
  return results
}

async function readRows(): Promise<string[][]> {
  const text = await readFile(SIDE_BY_SIDE, 'utf8')
  return [...text.matchAll(/^\| \d+ +\|.*\|$/gm)].map(([line]) =>
    line
      .slice(1, -1)
      .split('|')
      .map(part => part.trim()),
  )
}
