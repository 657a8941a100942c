// The side-by-side table as Markdown: each row with what was measured on both clients.
import type { Lived, Row } from './row.ts'

export interface Measured {
  readonly row: Row
  readonly official: Lived
  readonly chartroom: Lived
}

export const cell = ({ isWell, told }: Lived): string => `${isWell ? '✓' : '✗'} ${told}`

export const line = ({ row, official, chartroom }: Measured): string =>
  `| ${[row.number, row.title, row.done, cell(official), cell(chartroom)].join(' | ')} |`

export const heading = (version: string): string =>
  `| # | What users hit | What was done | Bare supabase-js ${version} | Chartroom |`

/** The whole page. */
export function page(measured: readonly Measured[], version: string): string {
  const broken = (which: 'official' | 'chartroom') => measured.filter(each => !each[which].isWell).length
  return `# Side by side

Made by \`npm run -s bench -- side-by-side\`; every cell was measured in that run. The same code lived through the same faults of one embedded backend, once on bare supabase-js ${version} with its defaults, once on Chartroom's \`client.supabase\` (row 19 uses Chartroom's own channel, since the official one has no word for a gap). Times are those of a clock that goes faster for both. The rows are in \`bench/side-by-side\`; a test lives through them again and compares this page.

✗ is what a user would complain of: ${broken('official')} of ${measured.length} lines on bare supabase-js, ${broken('chartroom')} on Chartroom. A ✓ on the left is a fault that the official client has mended since it was reported.

${heading(version)}
| --- | --- | --- | --- | --- |
${measured.map(line).join('\n')}
`
}
