// A page with the results of a command: one file without scripts, which works offline.
import { createHash } from 'node:crypto'
import { oneLine, xmlText } from '../trace/index.ts'
import { problemsOf } from './annotations.ts'
import type { FileResult } from './file-report.ts'

const STYLE = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f7f8f8, #14181b);
  --surface: light-dark(#fff, #1b2024);
  --line: light-dark(#d5d9dc, #353c42);
  --text: light-dark(#1f2a30, #e6eaec);
  --muted: light-dark(#4c5a62, #a9b4ba);
  --good: light-dark(#176639, #6fcf97);
  --bad: light-dark(#a3242b, #ff9a9a);
  --warn: light-dark(#7a4c00, #e8b65a);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { margin: 0 0 0.25rem; font-size: 1.5rem; }
h2 { margin: 2rem 0 0.75rem; font-size: 1.125rem; }
h3 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
p { margin: 0; color: var(--muted); }
.totals { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 1rem 0 0; padding: 0; list-style: none; }
.totals li, article, .passed { background: var(--surface); border: 1px solid var(--line); border-radius: 8px; }
.totals li { padding: 0.375rem 0.75rem; }
.totals strong { font-variant-numeric: tabular-nums; }
article { margin: 0 0 0.75rem; padding: 0.875rem 1rem; }
details { margin-top: 0.5rem; }
summary { cursor: pointer; overflow-wrap: anywhere; }
summary:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; border-radius: 4px; }
.code0 { color: var(--good); }
.code1 { color: var(--bad); }
.code2 { color: var(--warn); }
pre { margin: 0.5rem 0 0; padding: 0.625rem 0.75rem; background: var(--page); border-radius: 6px;
  font: 13px/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
.passed { margin: 0; padding: 0.875rem 1rem; }
.passed ul { margin: 0.5rem 0 0; padding-left: 1.25rem; overflow-wrap: anywhere; }
.time { color: var(--muted); font-size: 0.875rem; font-variant-numeric: tabular-nums; }
@media print { details:not([open]) > *:not(summary) { display: block; } }
`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')
/** Nothing can be loaded or run, whatever a trace contains. */
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`

/** Files with the same problem are listed together; the most frequent problems come first. */
export function* htmlReport(command: string, results: readonly FileResult[]): Generator<string> {
  const name = `chartroom ${command}`
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0)
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width">
<title>${headline(results)} – ${name}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${headline(results)}</h1>
<p>${name}, ${counted(results.length, 'file')} in ${seconds.toFixed(1)} s of work</p>
<ul class="totals">
${outcomesOf(results).join('\n')}
</ul>
`
  const problems = [...problemsOf(results).values()].toSorted((a, b) => b.length - a.length)
  if (problems.length > 0) yield '<h2>Problems</h2>\n'
  for (const files of problems) yield* problem(files)
  const passing = results.filter(({ code }) => code === 0)
  if (passing.length > 0) {
    yield `<h2>Passed</h2>\n<details class="passed">\n<summary>${counted(passing.length, 'file')}</summary>\n<ul>\n`
    for (const { file, seconds: time, outcome } of passing)
      yield `<li>${xmlLine(file)} <span class="time">${xmlLine(outcome)}, ${time.toFixed(2)} s</span></li>\n`
    yield '</ul>\n</details>\n'
  }
  yield '</main>\n</body>\n</html>\n'
}

function headline(results: readonly FileResult[]): string {
  const failed = results.filter(({ code }) => code !== 0).length
  if (results.length === 0) return 'No files'
  return failed === 0 ? 'All files passed' : `${failed} of ${counted(results.length, 'file')} failed`
}

function outcomesOf(results: readonly FileResult[]): string[] {
  const outcomes = new Map<string, { code: number; count: number }>()
  for (const { outcome, code } of results) {
    const group = outcomes.get(outcome)
    // A file can replay exactly and still fail an invariant.
    outcomes.set(outcome, { code: Math.max(code, group?.code ?? 0), count: (group?.count ?? 0) + 1 })
  }
  return [...outcomes].map(
    ([outcome, { code, count }]) =>
      `<li><strong class="code${code}">${count}</strong> ${xmlLine(outcome)}</li>`,
  )
}

function* problem(files: readonly FileResult[]): Generator<string> {
  const [first] = files
  if (!first) return
  yield `<article>
<h3><span class="code${first.code}">${xmlLine(first.outcome)}</span> ${xmlLine(first.problem)}</h3>
<p>${counted(files.length, 'file')}</p>
`
  for (const [at, { file, seconds, lines }] of files.entries())
    yield `<details${at === 0 ? ' open' : ''}>
<summary>${xmlLine(file)} <span class="time">${seconds.toFixed(2)} s</span></summary>
<pre>${lines.map(xmlLine).join('\n')}</pre>
</details>
`
  yield '</article>\n'
}

const counted = (count: number, noun: string) =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

/** Control characters are shown as their codes, as on the terminal. */
const xmlLine = (text: string) => xmlText(oneLine(text))
