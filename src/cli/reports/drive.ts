// `chartroom reports drive`: runs reports against the machines of this build.
import type { ReportGroup, Report } from '../../services/reports/rows.ts'
import { styleText } from 'node:util'
import { judgeReport, type Verdict } from '../../services/reports/judge.ts'
import { oneLine, jsonText } from '../../trace/index.ts'
import { readTrace } from '../../public/devtools/replay.ts'
import { defineCommand, type ExitCode, reasonOf, UsageError, wholeNumber } from '../command.ts'
import { loadMachines, type Machines, MACHINES_FLAG } from '../machines-file.ts'
import { ANNOTATIONS_FLAG, changeAnnotation, isAnnotated } from '../annotations.ts'
import { print, printError, startProgress } from '../print.ts'
import { type Case, junit } from '../junit.ts'
import { writeNew } from '../write-file.ts'
import { GROUP_FLAGS, groupQuery } from './groups.ts'
import { HOST_FLAGS, ReportsHost } from './host.ts'

export const driveCommand = defineCommand({
  usage: 'reports drive [flags]',
  text: `Runs the newest reports of each failure against the machines of this build, with the inputs that were
recorded, and says which would still fail. Compared with the results that were entered before, it says what this
build fixes and what it brings back. Where the recording shows no failure (page errors outside of the machines, users’
reports of something else), the run is compared with the recording instead. The machines of your own app are those of
--machines.

Exit code: 0 no report of a fixed failure fails, 1 one does, or with --all any report fails, 2 failed.`,
  flags: {
    ...HOST_FLAGS,
    ...GROUP_FLAGS,
    each: { type: 'string', value: 'N', about: 'Reports per failure, newest first; default: 3' },
    all: { type: 'boolean', about: 'Exit with 1 also if a report of an open failure fails' },
    enter: {
      type: 'string',
      value: 'VERSION',
      about: 'Enter the results in the table, as those of this version of the app',
    },
    close: {
      type: 'boolean',
      about:
        'With --enter: set open failures to fixed in that version if it fixes all their reports that were run',
    },
    json: { type: 'boolean', about: 'Print one JSON object per report' },
    junit: { type: 'string', value: 'FILE', about: 'Also write a JUnit report' },
    annotations: ANNOTATIONS_FLAG,
    ...MACHINES_FLAG,
  },
  takes: [0, 0, 'argument'],
  async run({ values }): Promise<ExitCode> {
    const { enter: version } = values
    if (values.close && version === undefined)
      throw new UsageError('--close needs --enter, the version in which the failures are fixed.')
    const host = new ReportsHost(values.url)
    const each = values.each === undefined ? 3 : wholeNumber('--each', values.each, 1, 1000)
    const machines = await loadMachines(values.machines)
    const query = { status: values.status ?? 'all', since: values.since, search: values.search } as const
    const groups = await host.groups(groupQuery(query), MOST_GROUPS)
    const results: Driven[] = []
    const progress = startProgress('Running reports', 'failures')
    for (const [at, group] of groups.entries()) {
      progress.at(at, groups.length)
      for (const report of await reportsOf(host, group, each))
        results.push({ group, report, ...(await judged(host, report, machines)) })
    }
    progress.end()
    if (version !== undefined)
      for (const { report, outcome, summary } of results)
        await host.enter(report.id, {
          driven_at: new Date().toISOString(),
          driven_version: version,
          driven_outcome: outcome,
          driven_summary: summary.slice(0, 2000),
        })
    const closed = values.close && version !== undefined ? await closeFixed(host, results, version) : []
    if (values.json) for (const result of results) print(`${jsonText(asJson(result, closed))}\n`)
    else print(`${described(results, closed)}\n`)
    if (isAnnotated(values.annotations)) for (const line of annotationsOf(results)) printError(`${line}\n`)
    if (values.junit !== undefined) await writeNew(values.junit, junit('reports', suitesOf(results)), true)
    return results.some(result => changeOf(result) === 'back' || (values.all && result.outcome === 'fails'))
      ? 1
      : 0
  },
})

const MOST_GROUPS = 1000
/** Reports of a failure that failed before and are run again. */
const MOST_FAILED = 100

/** The newest reports of a failure, and those that failed when they were last run. */
async function reportsOf(host: ReportsHost, group: ReportGroup, each: number): Promise<readonly Report[]> {
  const query = `fingerprint=eq.${encodeURIComponent(group.fingerprint)}`
  const newest = await host.reports(`${query}&order=received_at.desc,id`, each)
  const failed = await host.reports(`${query}&driven_outcome=eq.fails&order=received_at.desc,id`, MOST_FAILED)
  return [...new Map([...newest, ...failed].map(report => [report.id, report])).values()]
}

interface Driven extends Verdict {
  readonly group: ReportGroup
  readonly report: Report
}

/** Downloads and runs one report; a problem of one report is its result. */
async function judged(host: ReportsHost, report: Report, machines: Machines): Promise<Verdict> {
  try {
    const read = await readTrace(await host.trace(report))
    if (read.kind === 'unusable') return { outcome: 'unusable', summary: read.message }
    return judgeReport(read.trace, machines.need(read.trace), {
      kind: report.cause,
      fingerprint: report.fingerprint,
    })
  } catch (error) {
    return { outcome: 'unusable', summary: reasonOf(error) }
  }
}

/**
 * Sets the open failures to fixed of which all reports pass that were run, among them one that failed before, and no
 * report is left that failed: anyone can add reports that pass. Not those that a client with this version or a later
 * one has reported, nor those that are reported at this moment.
 */
async function closeFixed(host: ReportsHost, results: readonly Driven[], version: string) {
  const closed: ReportGroup[] = []
  for (const [group, driven] of Map.groupBy(results, result => result.group)) {
    const isFixed =
      group.status === 'open' &&
      driven.every(({ outcome }) => outcome === 'passes') &&
      driven.some(result => changeOf(result) === 'fixes')
    if (!isFixed) continue
    const { fingerprint } = group
    const versions = await host.versions(fingerprint)
    if (versions.some(reported => isAtLeast(reported, version))) continue
    const failed = `fingerprint=eq.${encodeURIComponent(fingerprint)}&driven_outcome=eq.fails&order=id`
    if ((await host.reports(failed, 1)).length > 0) continue
    if (await host.close(group, version)) closed.push(group)
  }
  return closed
}

/** As the function of the same name in the migration, which reopens groups. */
export function isAtLeast(version: string, minimum: string): boolean {
  if (version === minimum) return true
  const [numbers, minimumNumbers] = [version, minimum].map(text =>
    /^v?(\d{1,9}(?:\.\d{1,9})*)(?:\+.*)?$/.exec(text)?.[1]?.split('.').map(Number),
  )
  if (!numbers || !minimumNumbers) return false
  const at = minimumNumbers.findIndex((number, index) => number !== numbers[index])
  return at === -1 || (numbers[at] ?? -1) > (minimumNumbers[at] ?? 0)
}

/** What this build changes about a failure. */
function changeOf({ group, report, outcome }: Driven): 'back' | 'fixes' | undefined {
  if (outcome === 'fails' && (group.status === 'fixed' || report.driven_outcome === 'passes')) return 'back'
  return outcome === 'passes' && group.status !== 'fixed' && report.driven_outcome === 'fails'
    ? 'fixes'
    : undefined
}

const asJson = (result: Driven, closed: readonly ReportGroup[]) => {
  const { group, report, outcome, summary } = result
  const { fingerprint } = group
  const status = closed.includes(group) ? 'fixed' : group.status
  return { id: report.id, fingerprint, status, outcome, summary, change: changeOf(result) ?? null }
}

const CHANGES = ['back', 'fixes'] as const

/** The failures that this build changes in this way. */
const titlesOf = (results: readonly Driven[], change: 'back' | 'fixes'): readonly string[] => [
  ...new Set(results.filter(result => changeOf(result) === change).map(({ group }) => oneLine(group.title))),
]

/** What a pull request fixes and brings back, for its page. */
function annotationsOf(results: readonly Driven[]): readonly string[] {
  return CHANGES.flatMap(change => {
    const titles = titlesOf(results, change)
    if (titles.length === 0) return []
    const [level, does] =
      change === 'back' ? (['error', 'brings back'] as const) : (['notice', 'fixes'] as const)
    const incidents = titles.length === 1 ? 'an incident' : `${titles.length} incidents`
    return [changeAnnotation(level, `chartroom reports: ${does} ${incidents}`, titles.join('\n'))]
  })
}

const WORDS = { back: 'BRINGS BACK', fixes: 'FIXES' } as const
const COLORS = { fails: 'red', passes: 'green', same: 'gray', differs: 'yellow', unusable: 'yellow' } as const

function described(results: readonly Driven[], closed: readonly ReportGroup[]): string {
  if (results.length === 0) return 'No reports.'
  const count = (outcome: Verdict['outcome']) => results.filter(result => result.outcome === outcome).length
  const changes = CHANGES.flatMap(change => {
    const color = change === 'back' ? 'red' : 'green'
    return titlesOf(results, change).map(title => `${styleText(color, WORDS[change])}  ${title}`)
  })
  return [
    ...results.flatMap(({ report, outcome, summary }) => [
      `${styleText(COLORS[outcome], outcome.toUpperCase().padEnd(8))} ${report.id}  ${oneLine(report.title)}`,
      `  ${oneLine(summary)}`,
    ]),
    ...(changes.length > 0 ? ['', ...changes] : []),
    ...closed.map(({ title }) => `${styleText('green', 'CLOSED')}  ${oneLine(title)}`),
    '',
    (['fails', 'passes', 'same', 'differs', 'unusable'] as const)
      .filter(outcome => count(outcome) > 0)
      .map(outcome => `${count(outcome)} ${outcome}`)
      .join(', '),
  ].join('\n')
}

function suitesOf(results: readonly Driven[]) {
  const groups = new Map<string, Case[]>()
  for (const { group, report, outcome, summary } of results) {
    const kind = outcome === 'fails' ? 'failure' : 'error'
    const isWrong = outcome === 'fails' || outcome === 'unusable'
    const problem = { kind, message: summary, details: summary } as const
    const cases = groups.get(group.title) ?? []
    groups.set(group.title, [...cases, { name: report.id, ...(isWrong && { problem }) }])
  }
  return [...groups].map(([name, cases]) => ({ name, seconds: 0, cases }))
}
